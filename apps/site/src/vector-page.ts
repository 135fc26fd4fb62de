/** The page of a vector: what every variant and every practice makes of its bytes. */
import { formatCodePoint } from '@utf8/core';
import { type Explanation, explain } from '@utf8/explain';
import { implementations, type Vector, vectors } from '@utf8/vectors';

/** Where the page of a vector is, below `/vectors`. */
export const pathOf = (id: string): string => id.replace('/', '-');

const parse = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

const format = (hex: string): string => hex.toUpperCase().replace(/..(?!$)/g, '$& ');

export function writeVectorPage({ id, bytes, shows, variants }: Vector): string {
  const readings = Object.entries(variants).map(([label, reading]) => {
    const { accepts, text, fault, replacements } = reading;
    const found = fault ? `${fault.reason} at ${fault.offset}, ${fault.length} bytes` : '';
    const counts = accepts
      ? ''
      : `${replacements.maximalSubparts} / ${replacements.java ?? '–'} / ${replacements.perByte}`;
    const units =
      text.length > 12
        ? [...text.slice(0, 12).map(formatCodePoint), '…']
        : text.map(formatCodePoint);
    return `| \`${label}\` | ${accepts ? 'accepts' : '**refuses**'} | ${units.join(' ')} | ${found} | ${counts} |`;
  });
  const differences = Object.entries(variants).flatMap(([label, { differs = [] }]) =>
    differs.map(({ by, does }) => `| \`${label}\` | ${nameOf(by)} | ${escapeMarkdown(does)} |`),
  );
  const sequences = bytes.length <= 400 ? [...explain(parse(bytes))] : [];
  return `# ${id}

${escapeMarkdown(shows)}

\`\`\`text
${bytes.length > 400 ? `${format(bytes.slice(0, 400))} …` : format(bytes)}
\`\`\`

${sequences.map(writeSequence).join('\n')}

## What variants make of it

U+FFFD by practice: one for each maximal subpart / as Java / one for each byte.

| | | text | first fault | U+FFFD |
| --- | --- | --- | --- | --- |
${readings.join('\n')}
${
  differences.length === 0
    ? ''
    : `
## Who reads otherwise

| | | |
| --- | --- | --- |
${differences.join('\n')}
`
}
`;
}

function writeSequence({
  offset,
  bytes,
  bits,
  codePoint,
  character,
  rule,
  isBroken,
  sections,
  says,
}: Explanation): string {
  const what =
    codePoint === null
      ? ''
      : ` ${formatCodePoint(codePoint)}${character ? ` ${escapeMarkdown(character)}` : ''}`;
  const verb = isBroken ? 'breaks' : 'follows';
  return `- ${offset}: \`${bytes}\` \`${bits}\`${what}: ${verb} *${rule}*, ${sections[0]}${says ? `: ${escapeMarkdown(says)}` : ''}`;
}

const nameOf = (by: string): string => {
  const found = (implementations as Readonly<Record<string, { name?: string; version?: string }>>)[
    by
  ];
  return found?.name ?? by;
};

export function writeVectorIndex(): string {
  const groups = new Map<string, Vector[]>();
  for (const vector of vectors) {
    const [group = ''] = vector.id.split('/');
    groups.set(group, [...(groups.get(group) ?? []), vector]);
  }
  const parts = Array.from(groups, ([group, some]) => {
    const rows = some.map(({ id, bytes, shows }) => {
      const shown = bytes.length > 48 ? `${format(bytes.slice(0, 48))} …` : format(bytes);
      return `| [${id}](./${pathOf(id)}) | \`${shown}\` | ${escapeMarkdown(shows)} |`;
    });
    return `## ${group}\n\n| | | |\n| --- | --- | --- |\n${rows.join('\n')}`;
  });
  return `# Vectors

${vectors.length} inputs, each with what every variant makes of it. [@utf8/vectors](../../../../packages/vectors#readme) has them as
JSON, as a typed module and as plain files.

${parts.join('\n\n')}
`;
}

const escapeMarkdown = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '&#123;&#123;')
    .replace(/([|*_`[\]\\])/g, '\\$1');

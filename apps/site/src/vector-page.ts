/** The page of a vector: how every variant and every practice reads its bytes. */
import { formatCodePoint } from '@utf8/core';
import { type Explanation, explain } from '@utf8/explain';
import { implementations, type Variant, type Vector, vectors } from '@utf8/vectors';
import { formatJson } from '../../../packages/cli/src/terminal/escape.js';
import { drawBits } from './bits.js';
import { describeRule, fold, type Row } from './fold.js';

/** Returns the path of a vector's page, below `/vectors`. */
export const pathOf = (id: string): string => id.replace('/', '-');

const parse = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

const format = (hex: string): string => hex.toUpperCase().replace(/..(?!$)/g, '$& ');

/** Most bytes that an index shows. */
const SHOWN = 24;

export function writeVectorPage({ id, bytes, description, variants }: Vector): string {
  const sequences = [...explain(parse(bytes))];
  const differences = Object.entries(variants).flatMap(([label, { differs = [] }]) =>
    differs.map(({ by, does }) => `| \`${label}\` | ${nameOf(by)} | ${escapeMarkdown(does)} |`),
  );
  return `# ${id}

${escapeMarkdown(description)}

\`\`\`text
${format(bytes) || '(empty)'}
\`\`\`

${draw(sequences)}

[Open it in the playground](/playground#hex=${bytes.toUpperCase()})

## Byte by byte

| Offset | Bytes | Bits | Code point | Rule | Section |
| --- | --- | --- | --- | --- | --- |
${fold(sequences).map(writeSequence).join('\n')}

<details><summary>As JSON, from <code>utf8 explain --json</code></summary>

\`\`\`text
${sequences.map((sequence) => formatJson({ type: 'sequence', ...sequence })).join('\n')}
\`\`\`

</details>

## In each variant

The last three columns count the U+FFFD that a reader writes: *Subparts* if it writes one for each maximal subpart, *Java* if
it is the JDK, and *Bytes* if it writes one for each byte.

| Variant | Reads | Text | First fault | Subparts | Java | Bytes |
| --- | --- | --- | --- | --- | --- | --- |
${Object.entries(variants).map(writeReading).join('\n')}
${
  differences.length === 0
    ? ''
    : `
## Implementations that differ

| Variant | Implementation | What it does |
| --- | --- | --- |
${differences.join('\n')}
`
}`;
}

/** Draws the first sequence that UTF-8 refuses, or that is not ASCII. */
function draw(sequences: readonly Explanation[]): string {
  const whole = sequences.filter(({ codePoint }) => codePoint !== null);
  const first =
    whole.find(({ variants }) => !variants['utf-8'].isWellFormed) ??
    whole.find(({ kind }) => kind !== 'ascii');
  const drawing = first && drawBits(first);
  return drawing
    ? `<div class="scroll" tabindex="0" role="region" aria-label="Bits">${drawing}</div>`
    : '';
}

function writeSequence({ offset, bytes, text, sequence }: Row): string {
  const { bits, codePoint, character, sections, summary } = sequence;
  const what = codePoint === null ? '' : formatCodePoint(codePoint);
  const shown = character ? ` ${escapeMarkdown(character)}` : '';
  const rule = `${sequence.isBroken ? '**breaks** ' : ''}${describeRule(sequence)}`;
  const about = `${rule}${summary ? `: ${escapeMarkdown(summary)}` : ''}`;
  const cells =
    text === undefined
      ? [`\`${bytes}\``, `\`${bits.replaceAll('|', '\\|')}\``, what + shown, about]
      : [`\`${bytes}\``, '', escapeMarkdown(text), `${about}, ${text.length} characters`];
  return `| ${[offset, ...cells, sections[0]].join(' | ')} |`;
}

function writeReading([label, reading]: [string, Vector['variants'][Variant]]): string {
  const { accepts, text, fault, replacements } = reading;
  const { maximalSubparts, java, perByte } = replacements;
  const length = fault?.length === 1 ? '1 byte' : `${fault?.length} bytes`;
  const cells = [
    `\`${label}\``,
    accepts ? 'accepts' : '**refuses**',
    text.map(formatCodePoint).join(' '),
    fault ? `${fault.reason} at ${fault.offset}, ${length}` : '',
    maximalSubparts,
    java ?? '–',
    perByte,
  ];
  return `| ${cells.join(' | ')} |`;
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
    const rows = some.map(({ id, bytes, description }) => {
      const isLong = bytes.length > 2 * SHOWN;
      const shown = isLong ? `${format(bytes.slice(0, 2 * SHOWN))} …` : format(bytes);
      const cell = shown === '' ? '(empty)' : `\`${shown}\``;
      return `| [${id}](./${pathOf(id)}) | ${cell} | ${escapeMarkdown(description)} |`;
    });
    return `## ${group}

<details><summary>${some.length} vector${some.length === 1 ? '' : 's'}</summary>

| Vector | Bytes | Shows |
| --- | --- | --- |
${rows.join('\n')}

</details>`;
  });
  return `# Vectors

<script setup lang="ts">
import VectorFilter from '../../src/VectorFilter.vue';
</script>

${vectors.length} inputs, each with its result in every variant.
[@utf8/vectors](../../../../packages/vectors#readme) contains them as JSON, as a typed module and as plain files.

<VectorFilter />

${parts.join('\n\n')}
`;
}

const escapeMarkdown = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '&#123;&#123;')
    .replace(/([|*_`[\]\\])/g, '\\$1');

/** The page of a variant: its rows, its byte map and its automaton, all derived from the grammar. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Codec, formatBytes, formatRow, type Grammar, type Row } from '@utf8/core';
import { labels } from '@utf8/detect';
import { explain } from '@utf8/explain';
import { drawAutomaton } from './automaton.js';
import { drawBits } from './bits.js';
import { drawByteMap } from './byte-map.js';
import { root } from './root.js';

export interface Variant {
  /** Such as `cesu8/mixed`: the specifier without the scope. */
  readonly name: string;
  readonly codec: Codec;
}

/** The names of the variants, in the order in which packages list them. */
export const variantNames = (): string[] =>
  JSON.parse(readFileSync(new URL('packages/variants.json', root), 'utf8')).map(
    (specifier: string) => specifier.replace('@utf8/', ''),
  );

export const loadVariants = (): Promise<Variant[]> =>
  Promise.all(
    variantNames().map(async (name) => ({ name, codec: (await import(`@utf8/${name}`)) as Codec })),
  );

/** The page in Markdown. */
export async function writeVariantPage({ name, codec }: Variant): Promise<string> {
  const { grammar } = codec;
  const specifier = `@utf8/${name}`;
  const [packageName] = name.split('/');
  return `# ${codec.name}

${firstParagraph(name)}

\`\`\`sh
npm install @utf8/${packageName}
\`\`\`

\`\`\`ts
import * as codec from '${specifier}';

${demonstrate(codec)}
codec.findFault(Uint8Array.of(0x61, 0xff)); // => { offset: 1, length: 1, reason: 'invalid-lead', incomplete: false }
\`\`\`

${drawSmile(codec)}

| Property | Value |
| --- | --- |
| Labels | ${(codec.labels ?? []).map((label) => `\`${label}\``).join(', ')} |
| Contains | ${describeDomain(grammar)} |
| Import | \`${specifier}\`, or \`${specifier}/lite\` without WebAssembly |
| Package | [README](../../../../packages/${packageName}#readme) |

## Definition

These rows define the whole encoding. A row maps a range of code points to bytes, with one byte or range of bytes for each
position. \`=\` = read and written; \`<=\` = only read; \`!\` = refused as a sequence, even though each part is valid
alone. \`+\` joins units that are separate errors.

\`\`\`text
${[...grammar.rows, ...grammar.refused].map(formatRow).join('\n')}
\`\`\`

## Byte map

The map shows the role of each of the 256 byte values.

${drawByteMap(grammar)}

## Automaton

The rows imply this state machine, which reads one character from its start to its end. Any other byte is an error.

${await drawAutomaton(grammar)}
`;
}

/** The page that compares all of them. */
export function writeVariantIndex(variants: readonly Variant[]): string {
  const rows = variants.map(({ name, codec }) => {
    const cells = [0x1f600, 0xd83d, 0].map((codePoint) => describeForms(codec, codePoint));
    return `| [${codec.name}](./${name.replace('/', '-')}) | ${cells.join(' | ')} |`;
  });
  return `# All variants

${variants.length} encodings are called UTF-8. They agree on all characters except these:

| Variant | U+1F600 😀 | U+D83D, a lone surrogate | U+0000 |
| --- | --- | --- | --- |
${rows.join('\n')}

*Reads* marks a form that is accepted but never written.
`;
}

function describeForms(codec: Codec, codePoint: number): string {
  const { grammar } = codec;
  const forms = grammar.rows
    .filter(({ first, last }) => first <= codePoint && codePoint <= last)
    .map((row) => ({ row, text: spell(row, codePoint) }))
    .sort((one, other) => Number(other.row.writes) - Number(one.row.writes));
  const pair = new Uint8Array(PAIR);
  if (forms.length > 0 && codePoint === SMILE && codec.isValid(pair)) {
    const isListed = forms.some(({ text }) => text === formatBytes(pair));
    // Two surrogates in a row are the character that they encode, though each is a code point by itself.
    if (!isListed) return `${writeForms(forms)}; reads \`${formatBytes(pair)}\``;
  }
  if (forms.length > 0) return writeForms(forms);
  if (codePoint <= 0xffff || grammar.domain !== 'code units') return 'an error';
  const units = String.fromCodePoint(codePoint).split('');
  return units
    .map((unit) => describeForms(codec, unit.charCodeAt(0)).replaceAll('`', ''))
    .join(' ')
    .replace(/.+/, '`$&`');
}

/** U+1F600, and its surrogates as three bytes each. */
const SMILE = 0x1f600;
const PAIR = [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80];

const writeForms = (forms: readonly { readonly row: Row; readonly text: string }[]): string =>
  forms.map(({ row, text }) => `${row.writes ? '' : 'reads '}\`${text}\``).join('; ');

/** Texts that variants encode differently, and their literals. */
const texts = [
  ['😀', "'😀'"],
  ['\0', "'\\0'"],
  ['\ud83d', "'\\ud83d'"],
] as const;

/** Shows the difference of a variant: texts that it does not encode as UTF-8 does. */
function demonstrate(codec: Codec): string {
  const lines = texts.flatMap(([text, literal], i) => {
    try {
      const hex = Buffer.from(codec.encode(text)).toString('hex');
      const isSame = hex === Buffer.from(text).toString('hex');
      return isSame && i > 0
        ? []
        : [`Buffer.from(codec.encode(${literal})).toString('hex'); // => '${hex}'`];
    } catch {
      return i > 0 ? [] : [`codec.isValid(new TextEncoder().encode(${literal})); // => false`];
    }
  });
  const readsPair = codec.isValid(new Uint8Array(PAIR)) && !lines[0]?.includes('eda0bd');
  const bytes = PAIR.map((byte) => `0x${byte.toString(16)}`).join(', ');
  if (readsPair) lines.push(`codec.decode(Uint8Array.of(${bytes})); // => '😀'`);
  return lines.join('\n');
}

/** Draws the bits of U+1F600 in this encoding, if it has the character. */
function drawSmile(codec: Codec): string {
  if (!codec.grammar.rows.some(({ last }) => last > 0xffff) && !codec.isValid(new Uint8Array(PAIR)))
    return '';
  const [first] = explain(codec.encode('😀'));
  const drawing = first && drawBits(first);
  return drawing
    ? `<div class="scroll" tabindex="0" role="region" aria-label="Bits">${drawing}</div>`
    : '';
}

/** The bytes of a code point in a row, by mixed-radix arithmetic. */
function spell({ first, units }: Row, codePoint: number): string {
  let rest = codePoint - first;
  const bytes = units
    .flat()
    .reverse()
    .map((range) => {
      const size = range.last - range.first + 1;
      const byte = range.first + (rest % size);
      rest = Math.floor(rest / size);
      return byte.toString(16).toUpperCase().padStart(2, '0');
    });
  return bytes.reverse().join(' ');
}

const domains: Readonly<Record<string, string>> = {
  'scalar values': 'all Unicode scalar values: U+0000 to U+10FFFF without surrogates',
  'code points': 'all code points, lone surrogates included',
  'code units': 'all UTF-16 code units, lone surrogates included',
  bmp: 'the scalar values up to U+FFFF',
  'ucs-4': 'numbers of 31 bits, without surrogates',
  '31 bits': 'numbers of 31 bits, surrogates included',
};

const describeDomain = ({ domain }: Grammar): string => domains[domain] ?? domain;

/** Returns the first paragraph about a variant in the README of its package. */
function firstParagraph(name: string): string {
  const [packageName, profile] = name.split('/');
  const manifest = JSON.parse(
    readFileSync(fileURLToPath(new URL(`packages/${packageName}/package.json`, root)), 'utf8'),
  );
  return profile
    ? `A profile of the package \`@utf8/${packageName}\`.`
    : `${manifest.description}.`;
}

/** The label by which commands and vectors know a variant. */
export const labelOf = ({ codec }: Variant): string =>
  labels.find((label) => codec.labels?.includes(label)) as string;

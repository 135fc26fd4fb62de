/**
 * The tables of legacy encodings, from two libraries: `npx vitest run packages/repair/test/legacy-tables.test.ts -u`
 * writes the generated file, and this test fails if it is out of date.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { normalizeEncoding } from '@exodus/bytes/encoding.js';
import { createSinglebyteDecoder } from '@exodus/bytes/single-byte.js';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { decodeLegacyByte, findLegacyEncoding, legacyEncodings } from '../src/index.js';

/** In the order in which the encodings are tried: the commonest ones of each region first. */
const names = [
  'windows-1252',
  ...[1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258, 874].map((page) => `windows-${page}`),
  ...[2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16].map((part) => `iso-8859-${part}`),
  ...['koi8-r', 'koi8-u', 'ibm866', 'cp437', 'cp850', 'macintosh', 'x-mac-cyrillic'],
];

const isOfWhatwg = (name: string): boolean => !name.startsWith('cp');
const bytes = Array.from({ length: 0x80 }, (_, i) => 0x80 + i);

/** The library does not export its list of labels, which is that of the standard. */
const labelsFile = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@exodus/bytes/encoding.js')),
  'fallback/encoding.labels.js',
);
const words = new Set(readFileSync(labelsFile, 'utf8').match(/[\w:.-]+/g));
for (const [part, page] of Array.from({ length: 17 }, (_, i) => [i, 1250 + i])) {
  for (const word of [`iso8859-${part}`, `iso8859${part}`, `iso_8859-${part}`]) words.add(word);
  for (const word of [`iso_8859-${part}:1987`, `iso_8859-${part}:1988`]) words.add(word);
  for (const word of [`csisolatin${part}`, `l${part}`, `latin${part}`]) words.add(word);
  for (const word of [`cp${page}`, `x-cp${page}`]) words.add(word);
}

/** Other names: those of the standard, of IANA for two code pages, and the common one of macintosh. */
function listLabels(name: string): string[] {
  if (name === 'cp437') return ['437', 'cspc8codepage437', 'ibm437'];
  if (name === 'cp850') return ['850', 'cspc850multilingual', 'ibm850'];
  // Both names are of one table; the other one is about the order of characters on a line.
  const same = name === 'iso-8859-8' ? [name, 'iso-8859-8-i'] : [name];
  const labels = [...words].filter((word) => same.includes(normalizeEncoding(word) ?? ''));
  if (name === 'macintosh') labels.push('macroman');
  return labels.filter((label) => label !== name).sort();
}

/** U+FFFD if the standard has no character. */
function decode(name: string, byte: number): string {
  if (!isOfWhatwg(name)) return iconv.decode(Buffer.of(byte), name);
  return createSinglebyteDecoder(name as 'koi8-r', true)(Uint8Array.of(byte));
}

const spell = (text: string): string =>
  text.replace(
    /[\p{C}\p{M}\p{Z}\p{Bidi_Control}\ufffd'\\]/gu,
    (character) => `\\u${(character.codePointAt(0) as number).toString(16).padStart(4, '0')}`,
  );

it('the generated file is what the libraries say', async () => {
  const rows = names.map((name) => {
    const table = spell(bytes.map((byte) => decode(name, byte)).join(''));
    return `  '${name}': [\n    '${table}',\n    '${listLabels(name).join(' ')}',\n  ],`;
  });
  const source = `// Written by \`npx vitest run packages/repair/test/legacy-tables.test.ts -u\` from @exodus/bytes and iconv-lite.

/**
 * The characters of 80 to FF in each encoding, U+FFFD for none, and the other labels of the encoding. Those of the
 * WHATWG's Encoding Standard have C1 controls for bytes that Windows leaves undefined.
 *
 * @see https://encoding.spec.whatwg.org/#legacy-single-byte-encodings
 * @see https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/PC/ for CP437 and CP850
 */
export const tables = {
${rows.join('\n')}
} as const;
`;
  await expect(source).toMatchFileSnapshot('../src/generated/legacy-tables.ts');
});

describe('a legacy encoding', () => {
  it.each([...legacyEncodings])('%s has the characters that iconv-lite knows', (name) => {
    /**
     * Bytes for which iconv-lite has older tables than the standard: euro, ohm, Apple's logo, U+0491 and
     * U+045E.
     */
    const differences: Readonly<Record<string, readonly number[]>> = {
      macintosh: [0xbd, 0xdb, 0xf0],
      'koi8-u': [0xae, 0xbe],
      'x-mac-cyrillic': [0xa2, 0xb6, 0xff],
    };
    for (const byte of bytes) {
      if (differences[name]?.includes(byte)) continue;
      const character = iconv.decode(Buffer.of(byte), name.replace('x-mac-', 'mac'));
      const expected = character === '\ufffd' ? undefined : character.codePointAt(0);
      expect.soft(decodeLegacyByte(name, byte), `${name} ${byte.toString(16)}`).toBe(expected);
    }
  });

  it('has ASCII, and characters that are each of one byte', () => {
    for (const name of legacyEncodings) {
      for (let byte = 0; byte < 0x80; byte++) expect(decodeLegacyByte(name, byte)).toBe(byte);
      const known = bytes.map((byte) => decodeLegacyByte(name, byte)).filter(Boolean);
      expect(new Set(known).size, name).toBe(known.length);
    }
  });

  it('is found by each label of the standard, in any case', () => {
    for (const label of words) {
      const name = normalizeEncoding(label)?.replace('-8-i', '-8');
      if (!name || !names.includes(name)) continue;
      expect(findLegacyEncoding(label), label).toBe(name);
      expect(findLegacyEncoding(` ${label.toUpperCase()}\n`), label).toBe(name);
    }
    expect(findLegacyEncoding('IBM437')).toBe('cp437');
    expect(findLegacyEncoding('MacRoman')).toBe('macintosh');
  });

  it('is not found by other words', () => {
    for (const label of ['', 'utf-8', 'gbk', 'constructor', 'windows-1259', 'strict']) {
      expect(findLegacyEncoding(label)).toBeUndefined();
    }
  });
});

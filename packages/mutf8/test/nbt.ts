/** An NBT file of Minecraft's Java edition whose names and strings are what readers stumble over. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readHex } from '../../../tooling/oracles/interop/src/hex.js';

/** Each is a name and a string in the file; the first is the name of its root, too. */
export const texts: readonly string[] = [
  'emoji \u{1f600}\u{10ffff}',
  'nul \0 \0\0',
  'hangul 한글 \ud7ff',
  'high \ud83d',
  '\ude00 low',
  'both ways \ude00\ud83d',
  '\ufeff at the start',
  '',
];

/** Output of `tooling/oracles/interop/peers/WriteNbt.java`. */
export const file: Buffer = readHex(
  readFileSync(fileURLToPath(new URL('strings.nbt.txt', import.meta.url)), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join(''),
);

/** The arguments of `tooling/oracles/interop/peers/WriteNbt.java`: code units, in four digits each. */
export const units: readonly string[] = texts.map((text) =>
  Array.from({ length: text.length }, (_, i) =>
    text.charCodeAt(i).toString(16).padStart(4, '0'),
  ).join(''),
);

/** A compound of strings, with the names and the strings as bytes. */
export function writeCompound(
  entries: readonly (readonly [name: Uint8Array, text: Uint8Array])[],
): Buffer {
  const frame = (bytes: Uint8Array) => [Buffer.of(bytes.length >> 8, bytes.length & 0xff), bytes];
  const strings = entries.flatMap(([name, text]) => [Buffer.of(8), ...frame(name), ...frame(text)]);
  return Buffer.concat([Buffer.of(10, 0, 0), ...strings, Buffer.of(0)]);
}

/**
 * Compares strings of DEX files with dexlib2, both ways.
 *
 * @module-tag night
 */
import { describe, expect, it } from 'vitest';
import { askRead, askWrite } from '../src/ask.js';
import { dex } from '../src/consumers.js';
import { readDex, writeDex } from '../src/dex.js';
import { useJava } from '../src/start.js';
import { edges, textsOfLength } from '../src/texts.js';

const peer = await useJava(dex);

const texts = [
  ...edges,
  ...[127, 128, 16_383, 16_384, 65_536].flatMap((length) => [...textsOfLength(length)]),
];

describe('DEX', () => {
  it('files of dexlib2 have the strings that we read, in the bytes that we write', async () => {
    for (const text of texts) {
      const file = (await askWrite(peer, 'string', text)) as Buffer;
      expect(readDex(file).map((frame) => frame.text)).toContain(text);
      const item = Buffer.from(writeDex(text).subarray(0x78));
      expect(file.includes(item)).toBe(true);
    }
  });

  it('dexlib2 reads a file with the string that we write', async () => {
    for (const text of texts) {
      const read = await askRead(peer, 'string', writeDex(text));
      if (read !== text) expect(read?.slice(0, 40)).toBe(text.slice(0, 40));
    }
  });
});

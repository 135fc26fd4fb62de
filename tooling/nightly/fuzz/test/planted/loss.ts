/** A conversion that loses the last row of an INSERT of three rows. */
import { FormatError } from '@utf8/dump';
import { findFormat } from '@utf8/dump/internal';
import { attempt } from '../../src/codec.js';
import { requireEqual, type Target } from '../../src/target.js';
import { dumpWords } from '../../src/words.js';

const format = findFormat('mysqldump', { assume: 'text' });

function copy(bytes: Uint8Array): Buffer {
  format.createReader().skip(bytes, true);
  const parts: Uint8Array[] = [];
  let rows = 0;
  for (const { kind, start, end } of format.createReader().read(bytes)) {
    rows = kind === 'record' ? rows + 1 : 0;
    if (rows !== 3) parts.push(bytes.subarray(start, end));
  }
  return Buffer.concat(parts);
}

export const target: Target = {
  title: 'a conversion with a fault',
  maxLength: 24,
  words: dumpWords,
  *seeds() {
    yield Buffer.of(0x80, 0x81, 0x3b, 0x0a);
  },
  run(input) {
    const bytes = input.spell(dumpWords);
    const found = attempt(() => copy(bytes), FormatError);
    if (found instanceof Buffer) requireEqual(found.length, bytes.length, 'bytes that are lost');
  },
};

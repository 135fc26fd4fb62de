import { FAULT, readSequence } from './character.js';
import type { Engine } from './engine.js';
import type { Kernel } from './kernel.js';

/**
 * The kernel that every grammar has: its rows, read sequence by sequence. It serves where no faster
 * kernel is, in the `/lite` modules, and as the reference that faster ones are compared with. What it
 * costs in speed, it gives back in being right for any grammar, from the first byte on: nothing has to
 * be derived.
 *
 * It decodes 150 to 350 MB/s where a state machine, byte by byte, does 220 to 260 (60 KB, Node 20,
 * x86-64).
 */
export function createTableKernel({ sequences, speller, tables }: Engine): Kernel {
  // ASCII past the rows is three to six times as fast.
  const isPlain = (unit: number): boolean => unit < 0x80 && unit >= tables.firstPlain;
  return {
    decode(source, from, to, target, at, progress) {
      while (from < to) {
        const byte = source[from] as number;
        if (isPlain(byte)) {
          target[at++] = byte;
          from++;
          continue;
        }
        const { codePoint, length } = readSequence(sequences, source, from, to);
        if (codePoint === FAULT || codePoint > 0x10ffff) break;
        if (codePoint > 0xffff) {
          target[at++] = 0xd7c0 + (codePoint >> 10);
          target[at++] = 0xdc00 + (codePoint & 0b11_1111_1111);
        } else {
          target[at++] = codePoint;
        }
        from += length;
      }
      progress.read = from;
      progress.written = at;
    },

    encode(text, from, target, at, progress) {
      while (from < text.length) {
        const codePoint = text.codePointAt(from) as number;
        const spelling = speller.find(codePoint);
        if (!spelling || spelling.length > target.length - at) break;
        speller.write(spelling, codePoint, target, at);
        at += spelling.length;
        from += codePoint > 0xffff ? 2 : 1;
      }
      progress.read = from;
      progress.written = at;
    },

    validate(source, from, to) {
      while (from < to) {
        if (isPlain(source[from] as number)) {
          from++;
          continue;
        }
        const { codePoint, length } = readSequence(sequences, source, from, to);
        if (codePoint === FAULT) break;
        from += length;
      }
      return from;
    },
  };
}

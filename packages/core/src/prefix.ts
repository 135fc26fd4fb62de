/** Text whose length is stated in UTF-16 code units: where it ends shows only as it is decoded. */
import { FAULT, readSequence } from './character.js';
import { describeFault } from './diagnosis.js';
import { engineFor, findEngine } from './engine.js';
import { type Progress, SHORT } from './kernel.js';
import { checkPolicy, type ErrorPolicy, mendBytes } from './policy.js';
import type { TextCodec } from './range.js';
import { joinPieces, scratchOf, shareScratch, WINDOW } from './scratch.js';

const progress: Progress = { read: 0, written: 0 };

/**
 * Decodes `units` UTF-16 code units of text from an index in bytes on. The text is shorter where the
 * bytes end first, and longer where the count ends within a character. `next` is the index behind it.
 */
export type DecodePrefix = (
  bytes: Uint8Array,
  from: number,
  units: number,
  errors?: ErrorPolicy,
) => { text: string; next: number };

/**
 * Makes a codec's `decode` for a number of code units.
 *
 * @param codec - Any codec.
 * @returns The function, which throws DecodeError as `decode` does; undefined where the codec is none
 *   that this package made.
 */
export function createDecodePrefix(codec: TextCodec): DecodePrefix | undefined {
  const engine = findEngine(codec.decode);
  if (!engine) return undefined;
  return (input, from, units, errors) => {
    const policy = checkPolicy(errors, 'strict');
    const working = engineFor(engine, policy);
    const { kernel, tables, sequences, takeText = joinPieces } = working;
    const scratch = units <= SHORT ? shareScratch() : scratchOf(kernel);
    // What another thread can write to is read once.
    const isShared = !(input.buffer instanceof ArrayBuffer);
    const base = isShared ? from : 0;
    const bytes = isShared ? input.slice(from, from + units * tables.longest) : input;
    let text = '';
    let next = from - base;
    while (text.length < units && next < bytes.length) {
      // A byte is one code unit at most, so that so many bytes are not too many.
      const few = Math.min(units - text.length, WINDOW);
      kernel.decode(bytes, next, Math.min(next + few, bytes.length), scratch.units, 0, progress);
      if (progress.read > next) {
        next = progress.read;
        text += takeText(scratch, progress.written);
        continue;
      }
      const { codePoint, length } = readSequence(sequences, bytes, next);
      if (codePoint !== FAULT && codePoint <= 0x10ffff) {
        text += String.fromCodePoint(codePoint);
        next += length;
        continue;
      }
      const fault = describeFault(working, bytes, next, base);
      if (fault.incomplete) break;
      text += mendBytes(working.name, policy, fault, bytes.slice(next, next + fault.length));
      next += fault.length;
    }
    return { text, next: base + next };
  };
}

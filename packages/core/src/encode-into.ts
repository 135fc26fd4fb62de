import { isUint8Array, lengthOf, viewOf } from './argument/bytes.js';
import { checkText, refuse } from './argument/check.js';
import type { Codec } from './codec/codec.js';
import { createEncodeAdvance, ENCODE_OPTIONS, substituteCodePoint } from './encode.js';
import { type Encoding, encodingFor } from './encoding.js';
import { SHORT_TEXT } from './fast/limits.js';
import type { Progress } from './fast/loops.js';
import { checkPolicy, checkSize, type ErrorPolicy } from './fault/policy.js';
import { append, ByteSink } from './rows/byte-sink.js';
import { findRow } from './rows/prepared-row.js';

/** Encodes a whole text into a target with room for it, if that is possible at once. */
function encodeClean(
  { kernel, loops, packed }: Encoding,
  text: string,
  target: Uint8Array,
  done: Progress,
): boolean {
  const { length } = text;
  const room = lengthOf(target);
  if (kernel && length > SHORT_TEXT) return kernel.encodeWholeInto(text, target, room, done);
  if (!loops || length * packed.growth > room) return false;
  loops.encode(text, 0, length, target, 0, done);
  return done.read === length;
}

/**
 * Encodes the characters that certainly fit by kernel and loops, and the others one by one.
 *
 * @throws TypeError if the policy changes the size of the target.
 */
function encodeBounded(
  encoding: Encoding,
  text: string,
  target: Uint8Array,
  policy: ErrorPolicy,
  done: Progress,
): void {
  const { growth, longest } = encoding.packed;
  const { length } = text;
  const room = target.length;
  const sink = new ByteSink(target);
  const { written } = encoding.prepared;
  const advance = createEncodeAdvance(encoding, text, sink);
  done.read = 0;
  while (done.read < length) {
    // Includes room for a low surrogate that follows.
    const certain = done.read + Math.floor((room - sink.length) / growth) - 1;
    const to = Math.min(certain, length);
    if (to > done.read) {
      done.read = advance(done.read, to);
      if (done.read >= to) continue;
    }
    const codePoint = text.codePointAt(done.read) as number;
    const row = findRow(written, codePoint);
    const left = room - sink.length;
    if (row && encoding.isText(codePoint)) {
      if (row.length > left) break;
      sink.write(row, codePoint);
    } else {
      const part = new ByteSink(new Uint8Array(longest));
      substituteCodePoint(part, encoding, policy, done.read, codePoint);
      checkSize(target, room);
      if (part.length > left) break;
      append(sink, part.memory.subarray(0, part.length));
    }
    done.read += codePoint > 0xffff ? 2 : 1;
  }
  done.written = sink.length;
}

export function createEncodeInto(encoding: Encoding): Codec['encodeInto'] {
  return (text, target, options) => {
    checkText(text);
    const policy = checkPolicy(options, ENCODE_OPTIONS);
    if (!isUint8Array(target)) refuse('a Uint8Array for the target', target);
    const working = encodingFor(encoding, policy);
    const done = { read: 0, written: 0 };
    if (encodeClean(working, text, target, done)) return done;
    encodeBounded(working, text, viewOf(target), policy, done);
    return done;
  };
}

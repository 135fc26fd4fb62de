import { isUint8Array, viewOf } from '../argument/bytes.js';
import { checkText, refuse } from '../argument/refuse.js';
import type { Codec, EncodeOptions } from '../codec/codec.js';
import { checkPolicy, type ErrorPolicy } from '../fault/policy.js';
import { type Engine, engineFor } from '../read/engine.js';
import type { Progress } from '../read/kernel.js';
import { findSpelling } from '../read/spelling.js';
import { append, ByteSink } from './byte-sink.js';
import { substituteCodePoint } from './encode.js';
import { checkSize } from './resolve.js';
import type { EncodeWay } from './way.js';

/**
 * Encodes as much of a text as a target has room for, and says so in `done`.
 *
 * @throws TypeError if the policy changes the size of the target.
 */
function encodeBounded(
  engine: Engine,
  text: string,
  target: Uint8Array,
  policy: ErrorPolicy,
  done: Progress,
  way: EncodeWay | undefined,
): void {
  const { growth, longest } = engine.packed;
  const { length } = text;
  const room = target.length;
  const sink = new ByteSink(target);
  const { spellings } = engine.prepared;
  const advance = way?.advance(engine, text, sink);
  done.read = 0;
  while (done.read < length) {
    // What certainly has room, including room for a low surrogate that follows.
    const surely = done.read + Math.floor((room - sink.length) / growth) - 1;
    const to = Math.min(surely, length);
    if (advance && to > done.read) {
      done.read = advance(done.read, to);
      if (done.read >= to) continue;
    }
    const codePoint = text.codePointAt(done.read) as number;
    const spelling = findSpelling(spellings, codePoint);
    const left = room - sink.length;
    if (spelling && engine.isText(codePoint)) {
      if (spelling.length > left) break;
      sink.spell(spelling, codePoint);
    } else {
      const part = new ByteSink(new Uint8Array(longest));
      substituteCodePoint(part, engine, policy, done.read, codePoint);
      checkSize(target, room);
      if (part.length > left) break;
      append(sink, part.memory.subarray(0, part.length));
    }
    done.read += codePoint > 0xffff ? 2 : 1;
  }
  done.written = sink.length;
}

export function createEncodeInto(engine: Engine, way?: EncodeWay): Codec['encodeInto'] {
  return (text: string, target: Uint8Array, options?: EncodeOptions) => {
    checkText(text);
    const policy = checkPolicy(options);
    if (!isUint8Array(target)) refuse('a Uint8Array for the target', target);
    const working = engineFor(engine, policy);
    const done = { read: 0, written: 0 };
    if (way?.encodeInto(working, text, target, done)) return done;
    encodeBounded(working, text, viewOf(target), policy, done, way);
    return done;
  };
}

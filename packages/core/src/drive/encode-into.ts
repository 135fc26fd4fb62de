import { isUint8Array, viewOf } from '../argument/bytes.js';
import { checkOptions, checkText, refuse } from '../argument/refuse.js';
import type { Codec, EncodeOptions } from '../codec/codec.js';
import { checkPolicy, type ErrorPolicy } from '../fault/policy.js';
import { type Engine, engineFor } from '../read/engine.js';
import type { Progress } from '../read/kernel.js';
import { ByteSink } from './byte-sink.js';
import { encodeCharacter } from './encode.js';
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
  const part = new ByteSink(new Uint8Array(longest));
  const advance = way?.advance(engine, text, sink);
  done.read = 0;
  while (done.read < length) {
    // What surely has room, with some for a pair whose low surrogate lies after it.
    const surely = done.read + Math.floor((room - sink.length) / growth) - 1;
    const to = Math.min(surely, length);
    if (advance && to > done.read) {
      done.read = advance(done.read, to);
      if (done.read >= to) continue;
    }
    part.length = 0;
    const codeUnits = encodeCharacter(part, engine, text, done.read, policy, 0);
    checkSize(target, room);
    if (part.length > room - sink.length) break;
    sink.append(part.memory.subarray(0, part.length));
    done.read += codeUnits;
  }
  done.written = sink.length;
}

export function createEncodeInto(engine: Engine, way?: EncodeWay): Codec['encodeInto'] {
  return (text: string, target: Uint8Array, options?: EncodeOptions) => {
    checkText(text);
    checkOptions(options);
    const policy = checkPolicy(options?.errors, 'strict');
    if (!isUint8Array(target)) refuse('a Uint8Array for the target', target);
    const working = engineFor(engine, policy);
    const done = { read: 0, written: 0 };
    if (way?.encodeInto(working, text, target, done)) return done;
    encodeBounded(working, text, viewOf(target), policy, done, way);
    return done;
  };
}

import { ACCEPT, automatonOf } from './automaton.js';
import { ByteSink } from './byte-sink.js';
import { toUint8Array } from './bytes.js';
import { FAULT, readCharacter, readWhole } from './character.js';
import type { Codec } from './codec.js';
import { bomLength } from './decode.js';
import { describeFault } from './diagnosis.js';
import { type Engine, engineFor } from './engine.js';
import { EncodeError } from './error.js';
import { checkPolicy, mendBytes } from './policy.js';

export function createDecodeCodePoints(engine: Engine): Codec['decodeCodePoints'] {
  return (input, options) => {
    const policy = checkPolicy(options?.errors, 'strict');
    const bytes = toUint8Array(input);
    const chosen = engineFor(engine, policy);
    // There are at most as many code points as bytes, but for the texts that a policy puts in.
    let codePoints = new Uint32Array(bytes.length);
    let count = 0;
    for (let i = bomLength(engine, bytes, options?.bom); i < bytes.length; ) {
      const { codePoint, length } = readWhole(chosen, bytes, i);
      if (codePoint !== FAULT) {
        codePoints[count++] = codePoint;
        i += length;
        continue;
      }
      const fault = describeFault(chosen, bytes, i, 0);
      i += fault.length;
      const faulty = bytes.subarray(fault.offset, i);
      const mended = Array.from(mendBytes(chosen.name, policy, fault, faulty), (character) =>
        character.codePointAt(0),
      ) as number[];
      const needed = count + mended.length + bytes.length - i;
      if (needed > codePoints.length) {
        const grown = new Uint32Array(needed * 1.5);
        grown.set(codePoints);
        codePoints = grown;
      }
      codePoints.set(mended, count);
      count += mended.length;
    }
    return codePoints.slice(0, count);
  };
}

export function createEncodeCodePoints(engine: Engine): Codec['encodeCodePoints'] {
  return (codePoints) => {
    const { speller } = engine;
    const sink = new ByteSink(new Uint8Array(16));
    let index = 0;
    for (const codePoint of codePoints) {
      const spelling = Number.isInteger(codePoint) ? speller.find(codePoint) : undefined;
      if (!spelling) throw new EncodeError(engine.name, index, codePoint);
      sink.reserve(spelling.length);
      speller.write(spelling, codePoint, sink.bytes, sink.length);
      sink.length += spelling.length;
      index++;
    }
    return sink.finish();
  };
}

export function createCountCodePoints(engine: Engine): Codec['countCodePoints'] {
  return (input) => {
    const bytes = toUint8Array(input);
    const { classes, transitions, reject } = automatonOf(engine.paired);
    let count = 0;
    let boundary = 0;
    while (boundary < bytes.length) {
      let state = ACCEPT;
      for (let i = boundary; i < bytes.length && state !== reject; ) {
        state = transitions[state + (classes[bytes[i++] as number] as number)] as number;
        if (state !== ACCEPT) continue;
        boundary = i;
        count++;
      }
      if (boundary === bytes.length) break;
      // No character of the automaton's begins here: a fault, or a lone half.
      boundary += readCharacter(engine, bytes, boundary).length;
      count++;
    }
    return count;
  };
}

import { toUint8Array } from './argument/bytes.js';
import { refuse } from './argument/check.js';
import { readCharacter, readWhole } from './character.js';
import type { Codec } from './codec/codec.js';
import { DECODE_OPTIONS, measureBom, stripsBom } from './decode.js';
import { type Encoding, encodingFor } from './encoding.js';
import { EncodeError } from './fault/error.js';
import { checkPolicy, resolveFault } from './fault/policy.js';
import { ACCEPT, type Automaton, deriveAutomaton } from './grammar/automaton.js';
import { unpackRows } from './grammar/packed.js';
import { ByteSink } from './rows/byte-sink.js';
import { findRow } from './rows/prepared-row.js';

export function createDecodeCodePoints(encoding: Encoding): Codec['decodeCodePoints'] {
  return (input, options) => {
    const policy = checkPolicy(options, DECODE_OPTIONS);
    const strips = stripsBom(options?.bom);
    const bytes = toUint8Array(input);
    const working = encodingFor(encoding, policy);
    // There are at most as many code points as bytes, except for a policy's texts.
    let codePoints = new Uint32Array(bytes.length);
    let count = 0;
    for (let i = strips ? measureBom(encoding, bytes) : 0; i < bytes.length; ) {
      const { codePoint, length } = readWhole(working, bytes, i);
      if (codePoint >= 0) {
        codePoints[count++] = codePoint;
        i += length;
        continue;
      }
      const { text, next } = resolveFault(working, policy, bytes, i, 0);
      i = next;
      const substitute = Array.from(text, (character) => character.codePointAt(0)) as number[];
      const needed = count + substitute.length + bytes.length - i;
      if (needed > codePoints.length) {
        const grown = new Uint32Array(needed * 1.5);
        grown.set(codePoints);
        codePoints = grown;
      }
      codePoints.set(substitute, count);
      count += substitute.length;
    }
    return codePoints.slice(0, count);
  };
}

export function createEncodeCodePoints(encoding: Encoding): Codec['encodeCodePoints'] {
  return (codePoints) => {
    if (typeof codePoints?.[Symbol.iterator] !== 'function') {
      refuse('an iterable of code points', codePoints);
    }
    const sink = new ByteSink(new Uint8Array(16));
    let index = 0;
    let before = 0;
    let start = 0;
    for (let codePoint of codePoints) {
      // A `!` row refuses the two surrogates side by side, so their pair is written instead.
      if (encoding.packed.refused && isHigh(before) && isLow(codePoint)) {
        codePoint = 0x10000 + ((before - 0xd800) << 10) + (codePoint - 0xdc00);
        sink.length = start;
      }
      const row = Number.isInteger(codePoint)
        ? findRow(encoding.prepared.written, codePoint)
        : undefined;
      if (!row) throw new EncodeError(encoding.name, index, codePoint);
      start = sink.length;
      sink.write(row, codePoint);
      before = codePoint;
      index++;
    }
    return sink.finish();
  };
}

const isHigh = (codePoint: number): boolean => codePoint >= 0xd800 && codePoint <= 0xdbff;
const isLow = (codePoint: number): boolean => codePoint >= 0xdc00 && codePoint <= 0xdfff;

/** Automata, kept outside of the encoding because only counting needs them. */
const automata = new WeakMap<Encoding, Automaton>();

/** Returns the automaton of sequences that are well-formed in any context, derived once. */
function automatonOf(encoding: Encoding): Automaton {
  const known = automata.get(encoding);
  if (known) return known;
  const automaton = deriveAutomaton({
    rows: unpackRows((encoding.scalars ?? encoding).packed.rows),
  });
  automata.set(encoding, automaton);
  return automaton;
}

export function createCountCodePoints(encoding: Encoding): Codec['countCodePoints'] {
  return (input) => {
    const bytes = toUint8Array(input);
    const { classes, transitions, reject } = automatonOf(encoding);
    let count = 0;
    let boundary = 0;
    for (;;) {
      let state = ACCEPT;
      for (let i = boundary; i < bytes.length && state !== reject; ) {
        state = transitions[state + (classes[bytes[i++] as number] as number)] as number;
        if (state !== ACCEPT) continue;
        boundary = i;
        count++;
      }
      if (boundary === bytes.length) return count;
      // A fault begins here, or a surrogate, which depends on the sequences around it.
      boundary += readCharacter(encoding, bytes, boundary).length;
      count++;
    }
  };
}

import { type Bytes, toUint8Array, viewOf } from '../argument/bytes.js';
import { refuse } from '../argument/refuse.js';
import type { Codec } from '../codec/codec.js';
import type { Fault } from '../fault/fault.js';
import { describeFault } from '../read/diagnosis.js';
import type { Engine } from '../read/engine.js';
import { checkSize } from './resolve.js';
import type { ValidateWay } from './way.js';

/**
 * Makes a function that returns the offset of the first fault at or after an index, or the length of the
 * input.
 */
function createSearch(
  engine: Engine,
  bytes: Uint8Array,
  way: ValidateWay | undefined,
): (from: number) => number {
  const { length } = bytes;
  const advance = way?.advance(engine, bytes);
  return (from) => {
    for (let i = from; ; ) {
      if (advance) i = advance(i, length);
      if (i >= length) return length;
      if (engine.isAscii(bytes[i] as number)) {
        i++;
        continue;
      }
      const sequence = engine.read(bytes, i);
      if (sequence.codePoint < 0) return i;
      i += sequence.length;
    }
  };
}

export function createIsValid(engine: Engine, way?: ValidateWay): Codec['isValid'] {
  const isValid = (input: Bytes): boolean => {
    // Nothing is returned of memory that may change meanwhile, so it need not be copied first.
    const bytes = viewOf(input);
    return createSearch(engine, bytes, way)(0) === bytes.length;
  };
  return way?.createIsValid(engine, isValid) ?? isValid;
}

export function createFindFault(engine: Engine, way?: ValidateWay): Codec['findFault'] {
  return (input, from = 0) => {
    const bytes = toUint8Array(input);
    if (typeof from !== 'number') refuse('an index in bytes', from);
    if (!Number.isInteger(from) || from < 0 || from > bytes.length) {
      throw new RangeError(`Expected an index from 0 to ${bytes.length}, but got ${from}.`);
    }
    const at = createSearch(engine, bytes, way)(from);
    return at < bytes.length ? freezeFault(engine, bytes, at) : undefined;
  };
}

export function createFaults(engine: Engine, way?: ValidateWay): Codec['faults'] {
  return (input: Bytes) => {
    const bytes = toUint8Array(input);
    return {
      *[Symbol.iterator]() {
        const search = createSearch(engine, bytes, way);
        const size = bytes.length;
        for (let i = 0; ; ) {
          const at = search(i);
          if (at >= bytes.length) return;
          const fault = freezeFault(engine, bytes, at);
          i = at + fault.length;
          yield fault;
          checkSize(bytes, size);
        }
      },
    };
  };
}

const freezeFault = (engine: Engine, bytes: Uint8Array, at: number): Fault =>
  Object.freeze(describeFault(engine, bytes, at, 0));

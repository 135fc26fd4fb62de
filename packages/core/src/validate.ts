import { type Bytes, lengthOf, toUint8Array, viewOf } from './argument/bytes.js';
import { refuse } from './argument/check.js';
import type { Codec } from './codec/codec.js';
import type { Encoding } from './encoding.js';
import { SHORT_TEXT } from './fast/limits.js';
import { findKernel } from './fast/text.js';
import { createAdvance } from './fast/windows.js';
import { describeFault } from './fault/describe.js';
import type { Fault } from './fault/fault.js';
import { checkSize } from './fault/policy.js';

/**
 * Creates a function that returns the offset of the first fault at or after an index, or the length of the
 * input.
 */
function createSearch(encoding: Encoding, bytes: Uint8Array): (from: number) => number {
  const { length } = bytes;
  const { kernel, loops, packed } = encoding;
  const own = findKernel(kernel, length);
  const advance = createAdvance(own, loops, packed.longest, (converter, from, to) =>
    converter.validate(bytes, from, to),
  );
  return (from) => {
    for (let i = from; ; ) {
      i = advance(i, length);
      if (i >= length) return length;
      const sequence = encoding.read(bytes, i);
      if (sequence.codePoint < 0) return i;
      i += sequence.length;
    }
  };
}

/** Returns the length of the prefix that is certainly well-formed, in bytes; -1 if the input is malformed. */
function validateAtOnce({ kernel, loops }: Encoding, input: Uint8Array, length: number): number {
  if (kernel && length > SHORT_TEXT) return kernel.validateWhole(input, length);
  return loops ? loops.validate(input, 0, length) : 0;
}

export function createIsValid(encoding: Encoding): Codec['isValid'] {
  return (input: Bytes) => {
    let from = 0;
    if (input instanceof Uint8Array) {
      const length = lengthOf(input);
      from = validateAtOnce(encoding, input, length);
      if (from === length) return true;
      if (from < 0) return false;
    }
    // The result contains no memory that another thread may change, so the input is not copied.
    const bytes = viewOf(input);
    return createSearch(encoding, bytes)(from) === bytes.length;
  };
}

export function createFindFault(encoding: Encoding): Codec['findFault'] {
  return (input, from = 0) => {
    const bytes = toUint8Array(input);
    if (typeof from !== 'number') refuse('an index in bytes', from);
    if (!Number.isInteger(from) || from < 0 || from > bytes.length) {
      throw new RangeError(`Expected an index from 0 to ${bytes.length}, but got ${from}.`);
    }
    const at = createSearch(encoding, bytes)(from);
    return at < bytes.length ? freezeFault(encoding, bytes, at) : undefined;
  };
}

export function createFaults(encoding: Encoding): Codec['faults'] {
  return (input: Bytes) => {
    const bytes = toUint8Array(input);
    return {
      *[Symbol.iterator]() {
        const search = createSearch(encoding, bytes);
        const size = bytes.length;
        for (let i = 0; ; ) {
          const at = search(i);
          if (at >= bytes.length) return;
          const fault = freezeFault(encoding, bytes, at);
          i = at + fault.length;
          yield fault;
          checkSize(bytes, size);
        }
      },
    };
  };
}

const freezeFault = (encoding: Encoding, bytes: Uint8Array, at: number): Fault =>
  Object.freeze(describeFault(encoding, bytes, at, 0));

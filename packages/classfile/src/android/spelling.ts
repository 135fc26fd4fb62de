/** Decoding of strings, with errors at their offsets in the file. */
import { type Codec, DecodeError, type ErrorPolicy, type Fault } from '@utf8/core';

type Decodes = Pick<Codec, 'name' | 'decode' | 'findFault'>;

/** Moves the offset of an error from its string to the file. */
export const shift = (fault: Fault, start: number): Fault => ({
  ...fault,
  offset: start + fault.offset,
});

/** Decodes a string that begins at an offset. A policy that is a function receives offsets in the file. */
export const decodeAt = (
  codec: Decodes,
  bytes: Uint8Array,
  start: number,
  errors: ErrorPolicy,
): string =>
  codec.decode(bytes, {
    errors:
      typeof errors === 'function'
        ? (fault, faulty) => errors(shift(fault, start), faulty)
        : errors,
  });

/** Returns the first error of a string, with its offset in the file. */
export function findFaultAt(codec: Decodes, bytes: Uint8Array, start: number): Fault | undefined {
  const fault = codec.findFault(bytes);
  return fault && shift(fault, start);
}

/** Creates the `cause` of an error about a malformed string. */
export function createCause(
  codec: Decodes,
  bytes: Uint8Array,
  start: number,
  fault: Fault,
): DecodeError {
  const from = fault.offset - start;
  return new DecodeError(codec.name, fault, bytes.subarray(from, from + fault.length));
}

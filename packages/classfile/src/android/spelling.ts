/** What a file's bytes spell, with faults where they are in the file. */
import { type Codec, DecodeError, type ErrorPolicy, type Fault } from '@utf8/core';

type Decodes = Pick<Codec, 'name' | 'decode' | 'findFault'>;

/** A fault of a string as one of the file. */
export const shift = (fault: Fault, start: number): Fault => ({
  ...fault,
  offset: start + fault.offset,
});

/** Decodes a string that begins at an offset; a policy that is a function gets faults of the file. */
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

/** The first fault of a string, as one of the file. */
export function findFaultAt(codec: Decodes, bytes: Uint8Array, start: number): Fault | undefined {
  const fault = codec.findFault(bytes);
  return fault && shift(fault, start);
}

/** The error that says so, for `cause`. */
export function createCause(
  codec: Decodes,
  bytes: Uint8Array,
  start: number,
  fault: Fault,
): DecodeError {
  const from = fault.offset - start;
  return new DecodeError(codec.name, fault, bytes.subarray(from, from + fault.length));
}

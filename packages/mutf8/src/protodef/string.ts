/** A ProtoDef type for strings: functions that read, write and measure. */
import type { Codec, ErrorPolicy } from '@utf8/core';
import { FrameError, readUTF, writeUTF } from '../framing/index.js';
import { byteLength, codec as core, decode, encode, name } from '../generated/data-input/index.js';
import { PartialReadError } from './error.js';

/** Options of all functions here. */
export interface StringOptions {
  /** The encoding: `@utf8/mutf8/data-input` by default, which reads and writes as the JDK does. */
  readonly codec?: Pick<Codec, 'name' | 'decode' | 'encode' | 'byteLength'> | undefined;
  /** Policy for faults; `strict` by default. */
  readonly errors?: ErrorPolicy | undefined;
}

/**
 * A type with the interface of ProtoDef. Offsets and sizes are in bytes; `write` returns the index after the
 * text.
 */
export type StringType = [
  read: (buffer: Uint8Array, offset: number) => { value: string; size: number },
  write: (value: string, buffer: Uint8Array, offset: number) => number,
  sizeOf: (value: string) => number,
];

/** The encoding that `DataInput` reads; `DataOutput` writes Modified UTF-8. */
const java = { name, codec: core, decode, encode, byteLength };

/** The length before the text. */
const HEADER = 2;

/**
 * Makes a type for `ProtoDef.addTypes`: a length of two bytes, and this many bytes of Modified UTF-8.
 *
 * Reads the format of Java's `DataInput`, a raw 00 and overlong forms included; writes the format of
 * `DataOutput`. Reading throws a {@link PartialReadError} if the buffer ends first, and a DecodeError at a
 * fault, with its offset in the buffer. Writing throws a RangeError if the text needs more than 65,535 bytes.
 *
 * @param options - The encoding, and the policy for faults.
 * @returns Functions that read, write and measure a text.
 * @example
 * ```ts
 * import { createStringType } from '@utf8/mutf8/protodef';
 *
 * const [read, , sizeOf] = createStringType();
 * read(Uint8Array.of(0x0a, 0x00, 0x02, 0xc0, 0x80), 1); // => { value: '\0', size: 4 }
 * sizeOf('😀'); // => 8
 * ```
 * @see java.io.DataInput.readUTF; JVMS, section 4.4.7
 */
export function createStringType(options: StringOptions = {}): StringType {
  const { codec = java, errors } = options;
  const frame = { codec, errors };
  return [
    (buffer, offset) => {
      try {
        const { text, next } = readUTF(buffer, offset, frame);
        return { value: text, size: next - offset };
      } catch (error) {
        const isCut = error instanceof FrameError && error.missing > 0;
        throw isCut ? new PartialReadError(error) : error;
      }
    },
    (value, buffer, offset) => writeUTF(value, buffer, offset, frame),
    (value) => HEADER + codec.byteLength(value, { errors }),
  ];
}

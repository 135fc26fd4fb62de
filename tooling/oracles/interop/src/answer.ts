/** Answers of codecs, in the lines of the peers' protocol. */
import { type Codec, EncodeError, type Fault } from '@utf8/core';

/** Answers one input with one line. */
export type Answer = (input: Uint8Array) => string;

/** Detail of errors in which two implementations are compared. */
export type Sight = 'acceptance' | 'offset' | 'length';

/** Policies that are compared. */
export type Mending = 'replace' | 'backslashreplace' | 'surrogateescape';

/** Reader of bytes that answers questions: a codec, or a model of a peer. */
export interface Reader {
  findFault(bytes: Uint8Array): Pick<Fault, 'offset' | 'length'> | undefined;
  decode(bytes: Uint8Array, options?: { errors: Mending }): string;
  /** A peer's numbers can be beyond 32 bits. */
  decodeCodePoints(bytes: Uint8Array): Uint32Array | readonly bigint[];
}

/** Writer of texts that answers questions. */
export type Writer = Pick<Codec, 'encode'>;

/** Cuts the line of an error to the compared fields. */
export function cut(line: string, sight: Sight): string {
  if (!line.startsWith('fault ')) return line;
  const words = { acceptance: 1, offset: 2, length: 3 };
  return line.split(' ', words[sight]).join(' ');
}

/** Decodes to code units, up to the first fault. */
export const decodeUnits = (reader: Reader): Answer =>
  orFault(reader, (bytes) => formatUnits(reader.decode(bytes)));

/** Decodes to code points, up to the first fault. */
export const decodePoints = (reader: Reader): Answer =>
  orFault(reader, (bytes) => formatPoints(reader.decodeCodePoints(bytes)));

/** Decodes to code units, under a policy that replaces faults. */
export const mendUnits =
  (errors: Mending) =>
  (reader: Reader): Answer =>
  (bytes) =>
    `ok ${formatUnits(reader.decode(bytes, { errors }))}`;

/** Encodes code units, given as UTF-16BE, up to the first that cannot be written. */
export const encodeUnits = (writer: Writer): Answer => encodeUnder(writer);

/** Encodes code units with an escape for each that cannot be written. */
export const escapeUnits = (writer: Writer): Answer => encodeUnder(writer, 'backslashreplace');

const encodeUnder =
  ({ encode }: Writer, errors?: 'backslashreplace'): Answer =>
  (units) => {
    const text = Buffer.from(units).swap16().toString('utf16le');
    try {
      return `ok ${formatBytes(encode(text, { errors }))}`;
    } catch (error) {
      if (error instanceof EncodeError) return `fault ${error.offset} 1`;
      throw error;
    }
  };

/** Bytes, two hexadecimal digits each. */
export const formatBytes = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');

/** Code units, four hexadecimal digits each. */
export const formatUnits = (text: string): string =>
  Buffer.from(text, 'utf16le').swap16().toString('hex');

/** Code points, eight hexadecimal digits each, and sixteen beyond 32 bits. */
function formatPoints(codePoints: Iterable<number | bigint>): string {
  let line = '';
  for (const codePoint of codePoints) {
    line += codePoint.toString(16).padStart(codePoint > 0xffffffff ? 16 : 8, '0');
  }
  return line;
}

const orFault =
  (reader: Reader, answer: Answer): Answer =>
  (bytes) => {
    const fault = reader.findFault(bytes);
    return fault ? `fault ${fault.offset} ${fault.length}` : `ok ${answer(bytes)}`;
  };

/** What codecs say, in the lines that the peers speak. */
import { type Codec, EncodeError, type Fault } from '@utf8/core';

/** Answers one input with one line. */
export type Answer = (input: Uint8Array) => string;

/** How much of a fault two implementations are compared by. */
export type Sight = 'acceptance' | 'offset' | 'length';

/** What it takes to answer questions about bytes: a codec, or what is known of a peer. */
export interface Reader {
  findFault(bytes: Uint8Array): Pick<Fault, 'offset' | 'length'> | undefined;
  decode(bytes: Uint8Array, options?: { errors: 'replace' | 'surrogateescape' }): string;
  /** A peer's numbers can be beyond 32 bits. */
  decodeCodePoints(bytes: Uint8Array): Uint32Array | readonly bigint[];
}

/** What it takes to answer questions about texts. */
export type Writer = Pick<Codec, 'encode'>;

/** Leaves of a fault's line what is compared. */
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

/** Decodes to code units, with U+FFFD for each fault. */
export const replaceUnits =
  (reader: Reader): Answer =>
  (bytes) =>
    `ok ${formatUnits(reader.decode(bytes, { errors: 'replace' }))}`;

/** Decodes to code units, with U+DC80..U+DCFF for each byte of a fault. */
export const escapeUnits =
  (reader: Reader): Answer =>
  (bytes) =>
    `ok ${formatUnits(reader.decode(bytes, { errors: 'surrogateescape' }))}`;

/** Encodes code units, given as UTF-16BE, up to the first that cannot be written. */
export const encodeUnits =
  ({ encode }: Writer): Answer =>
  (units) => {
    const text = Buffer.from(units).swap16().toString('utf16le');
    try {
      return `ok ${formatBytes(encode(text))}`;
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

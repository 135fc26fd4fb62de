/** Files with Java's data, which are read in order, compressed ones too. */
import { Readable } from 'node:stream';
import { constants, createInflate, gunzipSync, inflateSync } from 'node:zlib';
import { DATA_LENGTH, recognizeData } from '@utf8/classfile/data';

/** Compressed bytes that are enough to recognise a file. */
const PACKED = 512;

/** Reads enough of a file to recognise it, into memory of its own. */
export async function readHead(input: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let length = 0; length < DATA_LENGTH; ) {
    const { value, done } = await input.next();
    if (done) break;
    parts.push(value.slice());
    length += value.length;
  }
  return Buffer.concat(parts);
}

/** Puts the first bytes back. */
export async function* prepend(
  head: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (head.length > 0) yield head;
  yield* rest;
}

/** Tells how a file with Java's data is compressed; undefined if it is another file. */
export function findData(head: Uint8Array): 'none' | 'zlib' | 'gzip' | undefined {
  if (recognizeData(head)) return 'none';
  if (head[0] === 0x1f && head[1] === 0x8b) return isData(head, gunzipSync) ? 'gzip' : undefined;
  // The method is deflate, and the check bits are right. RFC 1950 2.2.
  const [first = 0, second = 0] = head;
  const isZlib = (first & 0x8f) === 8 && (256 * first + second) % 31 === 0;
  return isZlib && isData(head, inflateSync) ? 'zlib' : undefined;
}

function isData(head: Uint8Array, unpack: typeof gunzipSync): boolean {
  try {
    const packed = head.subarray(0, PACKED);
    return recognizeData(unpack(packed, { finishFlush: constants.Z_SYNC_FLUSH })) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Inflates a zlib stream, as much of it as there is.
 *
 * @param onError - Receives a description of the error.
 */
export async function* inflate(
  input: AsyncIterable<Uint8Array>,
  onError: (what: string) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let length = 0;
  const copies = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of input) {
      length += chunk.length;
      yield chunk.slice();
    }
  };
  // A truncated stream yields its complete part; the reader reports where that ends.
  const inflater = createInflate({ finishFlush: constants.Z_SYNC_FLUSH });
  const source = Readable.from(copies());
  source.once('error', (error) => inflater.destroy(error));
  try {
    for await (const chunk of source.pipe(inflater)) yield chunk as Uint8Array;
    if (length > inflater.bytesWritten) onError('bytes follow its zlib data');
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code !== 'string' || !code.startsWith('Z_')) throw error;
    onError('its zlib data are damaged');
  } finally {
    source.destroy();
  }
}

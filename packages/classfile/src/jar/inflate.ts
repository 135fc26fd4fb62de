import { promisify } from 'node:util';
import { inflateRaw, inflateRawSync } from 'node:zlib';

const inflateLater = promisify(inflateRaw);

/** Up to what size it is done at once, in bytes: to start and await a task takes longer than a class. */
const SMALL = 1 << 18;

/**
 * Inflates bytes.
 *
 * @param size - How many come out, in bytes. With the first one beyond it inflating stops.
 * @param chunk - How much memory is taken at once, in bytes; all by default.
 * @throws The error of `node:zlib`, whose code is `ERR_BUFFER_TOO_LARGE` where more would come out.
 */
export async function inflate(
  bytes: Uint8Array,
  size: number,
  chunk: number = size + 1,
): Promise<Uint8Array> {
  // With one byte to spare zlib is done when it has filled a chunk, and needs no second one.
  const options = { chunkSize: Math.max(chunk, 64), maxOutputLength: Math.max(size, 1) };
  const inflated =
    size <= SMALL ? inflateRawSync(bytes, options) : await inflateLater(bytes, options);
  // Small results share memory with others.
  return inflated.buffer.byteLength <= options.chunkSize
    ? new Uint8Array(inflated.buffer, inflated.byteOffset, inflated.length)
    : new Uint8Array(inflated);
}

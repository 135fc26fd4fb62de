import { promisify } from 'node:util';
import { inflateRaw, inflateRawSync } from 'node:zlib';

const inflateLater = promisify(inflateRaw);

/** Largest size that is inflated synchronously, in bytes: scheduling a task takes longer than a class. */
const SMALL = 1 << 18;

/**
 * Inflates bytes.
 *
 * @param size - The size of the output, in bytes. One byte more stops it.
 * @param chunk - The bytes of memory that are allocated at once; all by default.
 * @throws The error of `node:zlib`, whose code is `ERR_BUFFER_TOO_LARGE` if the output would be longer.
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

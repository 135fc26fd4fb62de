/** gzip of one member or several, in constant memory. */
import { createGunzip } from 'node:zlib';
import { DumpError } from '../error.js';
import { chunks } from './chunks.js';
import { damaged, truncated } from './damage.js';
import type { Source } from './source.js';

/** Decompresses gzip. Throws a {@link DamageError} if the data is truncated or damaged. */
export async function* gunzip(source: Source): AsyncGenerator<Uint8Array, void, undefined> {
  const unpacking = createGunzip({ chunkSize: 1 << 17 });
  const packed = chunks(source);
  let chunk: Uint8Array = new Uint8Array();
  let position = 0;
  const readNext = async (): Promise<boolean> => {
    const { done, value } = await packed.next();
    if (done) return false;
    chunk = value;
    position += chunk.length;
    return true;
  };
  const feed = async (): Promise<void> => {
    while (!unpacking.destroyed && !unpacking.readableEnded) {
      if (!(await readNext())) return void unpacking.end();
      // zlib never calls back for a chunk that contains padding.
      await new Promise<void>((done) => {
        unpacking.once('end', done);
        unpacking.write(chunk, () => {
          unpacking.off('end', done);
          done();
        });
      });
    }
  };
  feed().catch((error) => unpacking.destroy(error));
  try {
    yield* unpacking as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (error instanceof DumpError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') throw truncated(source.name, 'gzip');
    throw damaged(source.name, 'gzip', message);
  }
  // zlib reads a zero as the start of padding, and ignores everything after it.
  let rest = chunk.subarray(chunk.length - (position - unpacking.bytesWritten));
  while (rest.every((byte) => byte === 0)) {
    if (!(await readNext())) return;
    rest = chunk;
  }
  throw damaged(source.name, 'gzip', 'followed by other data');
}

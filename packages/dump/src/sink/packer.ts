/** Compresses an output on its way, in constant memory. */
import type { Transform } from 'node:stream';
import { UsageError } from '../error.js';

/** Tells whether an output is compressed, as the ending of its name says. */
export const isPacked = (path: string | undefined): boolean =>
  path !== undefined && /\.(?:gz|zst)$/i.test(path);

/**
 * Creates the compressor for a path; undefined if its name does not ask for one.
 *
 * @throws {@link UsageError} if this Node cannot compress so.
 */
export function createCompressor(path: string): Transform | undefined {
  if (!isPacked(path)) return undefined;
  // It takes 1.6 MB in each thread, so it is loaded late. Node has zstd since 22.15.
  const zlib: typeof import('node:zlib') & { readonly createZstdCompress?: () => Transform } =
    process.getBuiltinModule('node:zlib');
  if (/\.gz$/i.test(path)) return zlib.createGzip();
  const { createZstdCompress } = zlib;
  if (createZstdCompress) return createZstdCompress();
  throw new UsageError(
    `${path}: zstd is written by Node 22.15 or later, and this is Node ${process.versions.node}; write to stdout, and pipe it through zstd`,
  );
}

/** Passes on the output of a compressor. */
export class Packer {
  readonly #compressor: Transform;
  readonly #done: Promise<void>;

  constructor(compressor: Transform, write: (bytes: Uint8Array) => Promise<void>) {
    this.#compressor = compressor;
    this.#done = this.#drain(write);
    // Awaited by the next call.
    this.#done.catch(() => {});
  }

  async #drain(write: (bytes: Uint8Array) => Promise<void>): Promise<void> {
    for await (const chunk of this.#compressor as AsyncIterable<Uint8Array>) await write(chunk);
  }

  /** Writes bytes, and waits until their memory may be used again. */
  async write(bytes: Uint8Array): Promise<void> {
    const written = new Promise<void>((done, fail) => {
      this.#compressor.write(bytes, (error) => (error ? fail(error) : done()));
    });
    try {
      // If the compressor's output cannot be written, it never accepts them.
      await Promise.race([written, this.#done.then(() => written)]);
    } catch (error) {
      // Throws the reason of the failed write, and not the abort of the compressor that followed.
      await this.#done;
      throw error;
    }
  }

  /** Waits until all bytes have been passed on. */
  async finish(): Promise<void> {
    this.#compressor.end();
    await this.#done;
  }

  discard(): void {
    this.#compressor.destroy();
  }
}

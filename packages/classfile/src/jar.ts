/** The classes of jars and of what is built like them, one at a time. For Node: it reads files. */
import { open, stat } from 'node:fs/promises';
import { type JarClass, readArchive } from './jar/archive.js';
import { JarError } from './jar/error.js';
import { deriveLimits, type Limits } from './jar/limits.js';
import { FileRegion } from './jar/region.js';
import { type ErrorListener, Run } from './jar/run.js';

export type { JarReason } from './jar/error.js';
export { type JarClass, JarError };

/** How much to read, and what to do about what cannot be read. */
export interface JarOptions extends Partial<Limits> {
  /**
   * Is told of each entry that cannot be read, be it a class or an archive within; the reading then goes
   * on after it. A promise that it returns is waited for. Without it the first such error is thrown.
   */
  readonly onError?: ErrorListener | undefined;
}

/**
 * Yields the classes of a zip archive (a jar, jmod, war, ear, aar or zip), and of the archives in it, in
 * the order of its directory. Memory stays constant however large the archive is: one class is read at
 * a time. A stored archive within is read where it lies, a compressed one is inflated into memory. Each
 * class has memory of its own, and its size and checksum are right.
 *
 * What lies before the archive in the file, such as the four bytes of a jmod or a script that starts
 * a jar, is passed over. The file is closed at the end, and when the loop is left early.
 *
 * @param file - Its path; a file that can be read from any place in it, so no pipe.
 * @param options - Limits in bytes, and `onError`.
 * @returns The classes; nothing is opened before the first is asked for.
 * @throws {@link JarError} where the file is no zip archive, its directory is malformed, its entries
 *   overlap, or it inflates to more than `maxRatio` allows; without `onError` also at the first entry
 *   that is encrypted, compressed in a way other than deflate, not as large as it claims, larger than
 *   its limit, damaged, or an archive that is none of these or nested more than `maxDepth` levels deep.
 * @throws RangeError where a limit is no number from 0 on.
 * @throws The error of `node:fs` where the file cannot be read.
 *
 * @example
 * ```ts
 * import { rmSync, writeFileSync } from 'node:fs';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { readJar } from '@utf8/classfile/jar';
 *
 * // The least that an archive is: its end, which says that there are no entries.
 * const file = join(tmpdir(), `empty-${process.pid}.jar`);
 * writeFileSync(file, Buffer.from('504B0506'.padEnd(44, '0'), 'hex'));
 * const paths = [];
 * for await (const { path, bytes } of readJar(file)) paths.push(path);
 * paths; // => []
 * rmSync(file);
 * ```
 * @see {@link https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT | APPNOTE.TXT}, section 4.3
 */
export async function* readJar(
  file: string,
  options: JarOptions = {},
): AsyncGenerator<JarClass, void, undefined> {
  const limits = deriveLimits(options);
  // Asked first, since to open a pipe would wait for somebody who writes to it.
  const stats = await stat(file);
  if (!stats.isFile()) {
    throw new JarError(
      'not-an-archive',
      file,
      undefined,
      'is no file that can be read from any place in it; name a zip archive',
    );
  }
  const handle = await open(file);
  try {
    const run = new Run(file, stats.size, limits, options.onError);
    yield* readArchive(new FileRegion(handle, 0, stats.size), run);
  } finally {
    await handle.close();
  }
}

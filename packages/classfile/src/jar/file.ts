/** The file of an archive. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { JarError } from './error.js';
import { FileRegion } from './region.js';

/** An open file. */
export interface OpenFile {
  readonly handle: FileHandle;
  readonly region: FileRegion;
  close(): Promise<void>;
}

/**
 * Opens a file.
 *
 * @throws {@link JarError} if it does not allow reads at any offset.
 */
export async function openFile(file: string): Promise<OpenFile> {
  // Checked first, since opening a pipe would wait for a writer.
  const stats = await stat(file);
  if (!stats.isFile()) {
    throw new JarError(
      'not-an-archive',
      file,
      undefined,
      'is not a regular file; specify a zip archive',
    );
  }
  const handle = await open(file);
  return {
    handle,
    region: new FileRegion(handle, 0, stats.size),
    close: () => handle.close(),
  };
}

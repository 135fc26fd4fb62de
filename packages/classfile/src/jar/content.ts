/** What the entries of an archive are. */

import { openEntry, peekEntry, readEntry } from './entry.js';
import { JarError } from './error.js';
import { recognize } from './form.js';
import type { Entry } from './record.js';
import type { Region } from './region.js';
import type { Run } from './run.js';
import { describeUnread, type SkipReason } from './skip.js';

/** The forms that entries are yielded in. */
export type EntryForm = 'class' | 'dex' | 'resources';

/** An entry, and where it is. */
export interface Item {
  readonly archive: Region;
  readonly entry: Entry;
  readonly path: string;
}

const CLASS = /\.class$/;

/** A file with the name of an archive is read even if other bytes precede the archive. */
const ARCHIVE = /\.(?:jar|war|ear|aar|jmod|zip|hpi|jpi|rar|nbm|kar|sar|apk|aab)$/i;

/**
 * Tells what to read of an entry, by its first bytes.
 *
 * @returns Undefined for what has no strings, or is skipped, which is reported to the run.
 * @throws {@link JarError} where it cannot be read, and its name says that it should be.
 */
export async function identify(
  { archive, entry, path }: Item,
  run: Run,
): Promise<EntryForm | 'archive' | undefined> {
  const isFolder = entry.name.endsWith('/') && entry.size === 0 && entry.compressedSize === 0;
  if (isFolder) return undefined;
  if (CLASS.test(entry.name)) return 'class';
  const isNamed = ARCHIVE.test(entry.name);
  let head: Uint8Array;
  try {
    head = await peekEntry(archive, entry, path, run);
  } catch (error) {
    if (!(error instanceof JarError) || isNamed) throw error;
    await skipUnknown(error, path, run);
    return undefined;
  }
  const form = recognize(head);
  if (form === 'class' || form === 'archive' || form === 'dex' || form === 'resources') return form;
  const format = describeUnread(entry.name, head);
  if (format) await run.skip(path, 'format', `is ${format}`);
  else if (isNamed) return 'archive';
  return undefined;
}

const reasons: Partial<Record<JarError['reason'], SkipReason>> = {
  encrypted: 'encrypted',
  method: 'method',
};

/** What it is cannot be known. */
function skipUnknown({ reason, what }: JarError, path: string, run: Run): Promise<void> {
  return run.skip(path, reasons[reason] ?? 'unreadable', what);
}

/**
 * Reads what {@link identify} has found.
 *
 * @returns Undefined where it is no class, in spite of its name.
 */
export async function readContent(
  { archive, entry, path }: Item,
  form: EntryForm,
  run: Run,
): Promise<Uint8Array | undefined> {
  const limit = form === 'class' ? 'maxClassBytes' : 'maxJarBytes';
  const bytes = await readEntry(archive, entry, path, run, limit);
  if (form !== 'class' || isClass(bytes, entry)) return bytes;
  const begin = Buffer.from(bytes.subarray(0, 4)).toString('hex').toUpperCase();
  const what =
    bytes.length === 0
      ? 'is empty, and no class is'
      : `begins with ${begin.replace(/..(?!$)/g, '$& ')}, and no class does`;
  await run.skip(path, 'not-a-class', what);
  return undefined;
}

/** By its name and its first four bytes, whatever its version is: its reader refuses that. */
const isClass = (bytes: Uint8Array, { name }: Entry): boolean =>
  recognize(CLASS.test(name) ? bytes.subarray(0, 4) : bytes) === 'class';

/** Opens an archive in an archive. */
export const openArchive = ({ archive, entry, path }: Item, run: Run): Promise<Region> =>
  openEntry(archive, entry, path, run);

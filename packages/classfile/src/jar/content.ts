/** The content of archive entries. */

import { isMarkedEncrypted, openEntry, peekEntry, readEntry } from './entry.js';
import { JarError } from './error.js';
import { type FileForm, findExpected, isManifestInText, recognize } from './form.js';
import type { Entry } from './record.js';
import type { Region } from './region.js';
import type { Run } from './run.js';
import { describeUnread, type SkipReason } from './skip.js';

/** Forms of the entries that are yielded. */
export type EntryForm = 'class' | 'dex' | 'resources';

/** An entry, and its place. */
export interface Item {
  readonly archive: Region;
  readonly entry: Entry;
  readonly path: string;
}

const CLASS = /\.class$/;

/** Names of archives: such files are read even if other bytes precede the archive. */
const ARCHIVE = /\.(?:jar|war|ear|aar|jmod|zip|hpi|jpi|rar|nbm|kar|sar|apk|aab)$/i;

/**
 * Determines how to read an entry, by its first bytes.
 *
 * @returns Undefined if the entry has no strings, or is skipped, which is reported to the run.
 * @throws {@link JarError} if it cannot be read although its name says that it should be.
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
  const format = describeUnread(entry.name, head);
  const form = recognize(head, format === undefined ? entry.name : undefined);
  const expected = findExpected(entry.name);
  if (isRead(form)) {
    if (expected && expected !== form) {
      const what = `is ${forms[form]}, not ${forms[expected]} as its name says`;
      await run.skip(path, 'misnamed', what);
    }
    return form;
  }
  if (run.isLenient && isMarkedEncrypted(entry)) {
    try {
      await readEntry(archive, entry, path, run, 'maxJarBytes');
    } catch (error) {
      if (!(error instanceof JarError) || isNamed) throw error;
      await skipUnknown(error, path, run);
      return undefined;
    }
  }
  if (format) await run.skip(path, 'format', `is ${format}`);
  else if (isNamed) return 'archive';
  else if (expected === 'dex') await run.skip(path, 'not-a-dex', describeBegin(head, 'DEX file'));
  else if (expected === 'resources' && !isManifestInText(entry.name, head))
    await run.skip(path, 'not-resources', describeBegin(head, 'binary resources'));
  return undefined;
}

/** Forms that are read, in words. */
export const forms: Readonly<Record<EntryForm | 'archive', string>> = {
  class: 'a class file',
  dex: 'a DEX file',
  resources: "a file of Android's resources",
  archive: 'an archive',
};

const isRead = (form: FileForm): form is EntryForm | 'archive' => form in forms;

/** Describes, by its first bytes, a file whose name is wrong. */
function describeBegin(bytes: Uint8Array, what: string): string {
  if (bytes.length === 0) return `is empty, and no ${what} is`;
  const begin = Buffer.from(bytes.subarray(0, 4)).toString('hex').toUpperCase();
  return `begins with ${begin.replace(/..(?!$)/g, '$& ')}, and no ${what} does`;
}

const reasons: Partial<Record<JarError['reason'], SkipReason>> = {
  encrypted: 'encrypted',
  method: 'method',
};

/** Skips an entry of unknown content. */
function skipUnknown({ reason, what }: JarError, path: string, run: Run): Promise<void> {
  return run.skip(path, reasons[reason] ?? 'unreadable', what);
}

/**
 * Reads an entry that {@link identify} has found.
 *
 * @returns Undefined if it is not a class despite its name.
 */
export async function readContent(
  { archive, entry, path }: Item,
  form: EntryForm,
  run: Run,
): Promise<Uint8Array | undefined> {
  const limit = form === 'class' ? 'maxClassBytes' : 'maxJarBytes';
  const bytes = await readEntry(archive, entry, path, run, limit);
  if (form !== 'class' || isClass(bytes, entry)) return bytes;
  await run.skip(path, 'not-a-class', describeBegin(bytes, 'class'));
  return undefined;
}

/** Tells whether an entry is a class, by its name and its first four bytes. Its reader checks the version. */
const isClass = (bytes: Uint8Array, { name }: Entry): boolean =>
  recognize(CLASS.test(name) ? bytes.subarray(0, 4) : bytes) === 'class';

/** Opens an archive inside an archive. */
export const openArchive = ({ archive, entry, path }: Item, run: Run): Promise<Region> =>
  openEntry(archive, entry, path, run);

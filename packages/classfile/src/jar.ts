/**
 * The classes of jars and other zip archives, read one at a time; and rewritten jars. Requires Node, since it
 * reads and writes files.
 *
 * @packageDocumentation
 */
import { type JarClass, type JarEntry, readArchive } from './jar/archive.js';
import type { EntryForm } from './jar/content.js';
import { JarError } from './jar/error.js';
import { openFile } from './jar/file.js';
import { type FileForm, FORM_LENGTH, recognize } from './jar/form.js';
import { deriveLimits, type Limits } from './jar/limits.js';
import { Output } from './jar/output.js';
import { type JarReport, type Rewrite, Rewriter, type Signatures } from './jar/rewrite.js';
import { type ErrorListener, Run, type SkipListener } from './jar/run.js';
import { CutError, Sink } from './jar/sink.js';

export type { JarReason } from './jar/error.js';
export type { Limits } from './jar/limits.js';
export type { JarReport, Rewrite, RewriteClass, Signatures } from './jar/rewrite.js';
export type { ErrorListener, SkipListener } from './jar/run.js';
export { describeUnread, type JarSkip, type SkipReason } from './jar/skip.js';
export {
  type EntryForm,
  type FileForm,
  FORM_LENGTH,
  type JarClass,
  type JarEntry,
  JarError,
  recognize,
};

/** Limits, and handlers of errors. */
export interface JarOptions extends Partial<Limits> {
  /**
   * Receives the error of each entry that cannot be read, a class or an archive within. Reading
   * continues after it, and waits for a promise that the function returns. By default, the first such error
   * is thrown.
   */
  readonly onError?: ErrorListener | undefined;
  /**
   * Receives each skipped entry that seems to contain strings: a file named `.class` that is not a class, a
   * `classes.dex` that is packed, classes packed by pack200, an archive of another format, an encrypted entry.
   * Ordinary resources are not reported. By default, nothing is.
   */
  readonly onSkip?: SkipListener | undefined;
  /**
   * Receives each error of an archive that can still be read: a wrong checksum, size or count, or a missing
   * directory, which the headers before the entries then replace. The checksum decides about a wrong header: an
   * entry that is only marked as encrypted, or states 4 GB and has 400 bytes, is read. Limits still apply, and
   * bytes that cannot be inflated remain an error. By default, the first such error is thrown.
   */
  readonly lenient?: ErrorListener | undefined;
}

/**
 * Yields the classes of a zip archive (a jar, jmod, war, ear, aar or zip), and of the archives in it, in
 * the order of its directory. Memory stays constant however large the archive is: one class is read at a
 * time. A stored archive within is read in place; a compressed one is inflated into memory. Each class has
 * memory of its own, and its size and checksum are right.
 *
 * Classes and archives are recognized by their first bytes, not by their names: see {@link recognize}. An
 * archive that follows a program is found within another archive only if it is named as an archive (`.jar`).
 * Bytes before the archive in the file, such as the four of a jmod or a script that starts a jar, are
 * skipped. The file is closed at the end, and when the loop is left early.
 *
 * @param file - The path of the file, which must allow reads at any offset: not a pipe.
 * @param options - Limits, and functions that receive errors.
 * @returns The classes; nothing is opened before the first is requested.
 * @throws JarError if the file is not a zip archive, its directory is malformed, its entries overlap, or it
 *   inflates to more than `maxRatio` allows; without `onError` also at the first entry that is encrypted,
 *   compressed with a method other than deflate, not of its stated size, larger than its limit, damaged, or
 *   an archive that is none of these or nested more than `maxDepth` levels deep.
 * @throws RangeError if a limit is not a number from 0 on.
 * @throws Error with a code of `node:fs`, such as `ENOENT`, if the file cannot be read.
 *
 * @example
 * ```ts
 * import { rmSync, writeFileSync } from 'node:fs';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { readJar } from '@utf8/classfile/jar';
 *
 * // The smallest archive: its end record, which states that there are no entries.
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
  for await (const { path, bytes, progress } of read(file, new Set(['class']), options)) {
    yield { path, bytes, progress };
  }
}

/**
 * Yields the parts of a zip archive, and of the archives in it, that contain strings: classes as {@link
 * readJar} does, DEX files, and Android's resources (`resources.arsc` and binary XML).
 *
 * @param file - As for {@link readJar}.
 * @param options - As for {@link readJar}; `maxJarBytes` is the limit of anything that is not a class.
 * @returns The entries; nothing is opened before the first is requested.
 * @throws JarError if an archive or an entry cannot be read, as {@link readJar} does.
 * @throws RangeError if a limit is not a number from 0 on.
 * @throws Error with a code of `node:fs`, such as `ENOENT`, if the file cannot be read.
 *
 * @example
 * ```ts
 * import { rmSync, writeFileSync } from 'node:fs';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { readEntries } from '@utf8/classfile/jar';
 *
 * const file = join(tmpdir(), `empty-${process.pid}.apk`);
 * writeFileSync(file, Buffer.from('504B0506'.padEnd(44, '0'), 'hex'));
 * const forms = [];
 * for await (const { path, form, bytes } of readEntries(file)) forms.push(form);
 * forms; // => []
 * rmSync(file);
 * ```
 * @see {@link https://source.android.com/docs/core/runtime/dex-format | Dalvik executable format}
 */
export async function* readEntries(
  file: string,
  options: JarOptions = {},
): AsyncGenerator<JarEntry, void, undefined> {
  yield* read(file, new Set(['class', 'dex', 'resources']), options);
}

async function* read(
  file: string,
  forms: ReadonlySet<EntryForm>,
  options: JarOptions,
): AsyncGenerator<JarEntry, void, undefined> {
  const limits = deriveLimits(options);
  const { region, close } = await openFile(file);
  try {
    yield* readArchive(region, forms, new Run(file, region.size, limits, options));
  } finally {
    await close();
  }
}

/** Options of {@link rewriteJar}. */
export interface RewriteOptions extends Partial<Limits> {
  /**
   * Action if a class in a signed archive changes: `refuse` (default), or `drop` the signature of that
   * archive and of those around it. That removes its files, the digests in the manifest, and an APK's block.
   * Archives without changes keep their signatures.
   */
  readonly signatures?: Signatures | undefined;
  /** Receives skipped entries, which stay unchanged. By default, they are not reported. */
  readonly onSkip?: SkipListener | undefined;
}

/**
 * Writes a jar or a similar archive with other classes, including those in archives within. Everything else
 * is copied byte for byte: other entries with their headers and compressed bytes, the records of the
 * directory except for their offsets, comments, and the bytes before the archive. If no class changes, the
 * output equals the input. A stored entry stays stored. Entries that are aligned, as by zipalign, stay so
 * through an extra field in their header.
 *
 * The output appears whole or not at all, with the permissions of the input: it is written next to its
 * place, with a second file for changed entries, and finally renamed.
 *
 * @param file - The path of the archive.
 * @param output - The path to write to, which must not lead to the same file. A file there is replaced.
 * @param rewrite - Receives the path and the bytes of one class after the other, and returns other bytes,
 *   or undefined, or a promise of these.
 * @param options - Limits, the action for signatures, and a function that receives skipped entries.
 * @returns The number of classes, and the number of changed classes.
 * @throws JarError if a class or an archive within cannot be read, a signed archive would change,
 *   `rewrite` throws (its error is the `cause`) or returns something else, entries overlap, a number
 *   needs 64 bits in an archive without them, the output is the input or not a regular file, or the input
 *   changes meanwhile. Then nothing is written.
 * @throws RangeError if a limit is not a number from 0 on, or `signatures` is another word.
 * @throws TypeError if `rewrite` is not a function.
 * @throws Error with a code of `node:fs`, such as `ENOENT`, if the file cannot be read or the output
 *   cannot be written.
 *
 * @example
 * ```ts
 * import { readFileSync, rmSync, writeFileSync } from 'node:fs';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { replaceStrings } from '@utf8/classfile';
 * import { rewriteJar } from '@utf8/classfile/jar';
 *
 * const [file, output] = ['in', 'out'].map((name) => join(tmpdir(), `${name}-${process.pid}.jar`));
 * writeFileSync(file, Buffer.from('504B0506'.padEnd(44, '0'), 'hex'));
 * const rewrite = ({ bytes }) => replaceStrings(bytes, ({ string }) => string.toUpperCase());
 * await rewriteJar(file, output, rewrite); // => { classes: 0, changed: 0, dropped: 0 }
 * readFileSync(output).equals(readFileSync(file)); // => true
 * for (const each of [file, output]) rmSync(each);
 * ```
 * @see {@link https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT | APPNOTE.TXT}, section 4.3
 */
export async function rewriteJar(
  file: string,
  output: string,
  rewrite: Rewrite,
  options: RewriteOptions = {},
): Promise<JarReport> {
  const limits = deriveLimits(options);
  const { signatures = 'refuse', onSkip } = options;
  if (signatures !== 'refuse' && signatures !== 'drop') {
    throw new RangeError(`signatures is 'refuse' or 'drop', not ${String(signatures)}`);
  }
  if (typeof rewrite !== 'function') {
    throw new TypeError(`Expected a function that rewrites classes, but got ${typeof rewrite}.`);
  }
  const { handle, region, close } = await openFile(file);
  try {
    const before = await handle.stat({ bigint: true });
    const run = new Run(file, region.size, limits, { onSkip });
    const target = Output.create(output, before, (what) => run.fail('output', '', what));
    try {
      const sink = new Sink(target.open());
      const openSpool = () => new Sink(target.open());
      const report = await new Rewriter(rewrite, signatures, run, openSpool).run(region, sink);
      const after = await handle.stat({ bigint: true });
      if (after.size !== before.size || after.mtimeNs !== before.mtimeNs) throw new CutError();
      await target.commit();
      return report;
    } catch (error) {
      if (!(error instanceof CutError)) throw error;
      throw run.fail('changed', '', 'changed while it was read; try again', error);
    } finally {
      target.close();
    }
  } finally {
    await close();
  }
}

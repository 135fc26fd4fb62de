/** The parts of an archive, and of the archives in it, that contain strings. */
import { type EntryForm, identify, forms as names, openArchive, readContent } from './content.js';
import { listEntries } from './list.js';
import { Overlap } from './overlap.js';
import type { Region } from './region.js';
import type { Run } from './run.js';

/** A class of an archive. */
export interface JarClass {
  /**
   * Path in the archive; `a.jar!/x/Y.class` for a class in an archive within. It is only a label, and may be
   * `../x`.
   *
   * A name without the UTF-8 flag is read from the extra field for Unicode, if it has one. Otherwise a name is
   * UTF-8 if possible, then CESU-8 or Modified UTF-8, and then code page 437. If an earlier entry has the same
   * path, the number of the entry follows: `A.class (entry 14)`.
   */
  readonly path: string;
  /** The class file, in memory of its own. */
  readonly bytes: Uint8Array;
  /** Share of the file that has been read, from 0 to 1. */
  readonly progress: number;
}

/** An entry that contains strings. */
export interface JarEntry extends JarClass {
  /** Kind of the entry, by its first bytes. */
  readonly form: EntryForm;
}

/** The place of an archive. */
interface Place {
  /** Its path in the file, and `!/`; empty for the file itself. */
  readonly prefix: string;
  /** Number of archives around it. */
  readonly depth: number;
  /** Share of the file that precedes it, from 0 to 1. */
  readonly from: number;
  /** Share of the file up to its end, from 0 to 1. */
  readonly to: number;
}

const WHOLE: Place = { prefix: '', depth: 0, from: 0, to: 1 };

/**
 * Yields the entries of an archive that have one of some forms.
 *
 * @throws {@link JarError} if it is not an archive, or reading cannot continue.
 */
export async function* readArchive(
  region: Region,
  forms: ReadonlySet<EntryForm>,
  run: Run,
  place: Place = WHOLE,
): AsyncGenerator<JarEntry, void, undefined> {
  const path = place.prefix.replace(/!\/$/, '');
  let passed = 0;
  let count = 0;
  const overlap = new Overlap(path, run);
  const share = (): number =>
    place.from + Math.min(1, passed / region.size) * (place.to - place.from);

  for await (const [entry, archive] of listEntries(region, path, run)) {
    const from = share();
    passed += entry.compressedSize;
    const label = run.paths.add(place.prefix + entry.name, ++count);
    const item = { archive, entry, path: label };
    const form = await run.attempt(() => identify(item, run));
    if (form === undefined) continue;
    if (form !== 'archive' && !forms.has(form)) {
      await run.skip(item.path, 'form', `is ${names[form]}, which readEntries reads`);
      continue;
    }
    try {
      overlap.take(entry, item.path, archive);
    } catch (error) {
      if (!run.isLenient) throw error;
      await run.report(error);
      continue;
    }
    if (form !== 'archive') {
      const bytes = await run.attempt(() => readContent(item, form, run));
      if (bytes) yield { path: item.path, form, bytes, progress: share() };
      continue;
    }
    if (place.depth >= run.limits.maxDepth) {
      await run.report(run.failDepth(item.path));
      continue;
    }
    try {
      const region = await openArchive(item, run);
      const prefix = `${item.path}!/`;
      const inner = { prefix, depth: place.depth + 1, from, to: share() };
      yield* readArchive(region, forms, run, inner);
    } catch (error) {
      await run.report(error);
    }
  }
}

/** An archive: what has strings in it, and in the archives in it. */
import { type EntryForm, identify, openArchive, readContent } from './content.js';
import { listEntries } from './list.js';
import { Overlap } from './overlap.js';
import type { Region } from './region.js';
import type { Run } from './run.js';

/** A class, and where it was. */
export interface JarClass {
  /** As in the archive; `a.jar!/x/Y.class` where it is in an archive within. Only a label, be it `../x`. */
  readonly path: string;
  /** The class file, in memory of its own. */
  readonly bytes: Uint8Array;
  /** How much of the file has been read, from 0 to 1. */
  readonly progress: number;
}

/** What has strings, and where it was. */
export interface JarEntry extends JarClass {
  /** What it is, by its first bytes. */
  readonly form: EntryForm;
}

/** Where an archive is. */
interface Place {
  /** Its path in the file, and `!/`; nothing for the file itself. */
  readonly prefix: string;
  /** How many archives it is nested in. */
  readonly depth: number;
  /** What share of the file precedes it, from 0 to 1. */
  readonly from: number;
  /** The same up to its end. */
  readonly to: number;
}

const WHOLE: Place = { prefix: '', depth: 0, from: 0, to: 1 };

/**
 * Yields what an archive has in some forms.
 *
 * @throws {@link JarError} where it is none, or cannot be read on.
 */
export async function* readArchive(
  region: Region,
  forms: ReadonlySet<EntryForm>,
  run: Run,
  place: Place = WHOLE,
): AsyncGenerator<JarEntry, void, undefined> {
  const path = place.prefix.replace(/!\/$/, '');
  let passed = 0;
  const overlap = new Overlap(path, run);
  const share = (): number =>
    place.from + Math.min(1, passed / region.size) * (place.to - place.from);

  for await (const [entry, archive] of listEntries(region, path, run)) {
    const from = share();
    passed += entry.compressedSize;
    const item = { archive, entry, path: place.prefix + entry.name };
    const form = await run.attempt(() => identify(item, run));
    if (form === undefined) continue;
    if (form !== 'archive' && !forms.has(form)) {
      await run.skip(item.path, 'form', `is ${names[form]}, which readEntries reads`);
      continue;
    }
    overlap.take(entry, item.path, archive);
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

const names: Readonly<Record<EntryForm, string>> = {
  class: 'a class file',
  dex: 'a DEX file',
  resources: "a file of Android's resources",
};

/** Rewriting of the classes in a jar. */
import { promisify } from 'node:util';
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib';
import { isUint8Array } from '@utf8/core/parts';
import { Assembly, type Change, type Plan } from './assemble.js';
import { type Item, identify, openArchive, readContent } from './content.js';
import { type Archive, findArchive, readDirectory } from './directory.js';
import { isStored, readEntry } from './entry.js';
import { Overlap } from './overlap.js';
import type { Region } from './region.js';
import type { Run } from './run.js';
import { dropDigests, findSigningBlock, isManifest, isSignature } from './signature.js';
import { chunksOf, type Sink } from './sink.js';

const deflateLater = promisify(deflateRaw);

/** A class that may be rewritten. */
export interface RewriteClass {
  /** Path, as in {@link JarClass.path}. */
  readonly path: string;
  /** The class file, in memory of its own. */
  readonly bytes: Uint8Array;
}

/** Returns the new bytes of a class; undefined, or the same bytes, keep it. */
export type Rewrite = (
  each: RewriteClass,
) => Uint8Array | undefined | Promise<Uint8Array | undefined>;

/** Result of rewriting a jar. */
export interface JarReport {
  /** Number of classes. */
  readonly classes: number;
  /** Number of classes that have changed. */
  readonly changed: number;
  /** Number of signature files that were dropped; the block of an APK counts as one. */
  readonly dropped: number;
}

/** Action for signatures. */
export type Signatures = 'refuse' | 'drop';

/** Data about entries that is kept until their archive is written. */
interface Entries {
  readonly changes: Map<number, Change | 'drop'>;
  /** Positions in the directory and items of the entries that make up a signature. */
  readonly signatures: number[];
  readonly manifests: [number, Item][];
}

/** Reads an archive, and writes it with other classes. */
export class Rewriter {
  readonly #rewrite: Rewrite;
  readonly #signatures: Signatures;
  readonly #run: Run;
  /** Opens the file for changes before the first one. */
  readonly #openSpool: () => Sink;
  #spool: Sink | undefined;
  #report: JarReport = { classes: 0, changed: 0, dropped: 0 };

  constructor(rewrite: Rewrite, signatures: Signatures, run: Run, openSpool: () => Sink) {
    this.#rewrite = rewrite;
    this.#signatures = signatures;
    this.#run = run;
    this.#openSpool = openSpool;
  }

  /**
   * Reads all classes of an archive, and writes it with the rewritten ones.
   *
   * @throws {@link JarError} if a class, or an archive within, cannot be read.
   */
  async run(region: Region, output: Sink): Promise<JarReport> {
    const plan = await this.#plan(region, '', 0);
    if (plan) await this.#assemble(plan, region, output);
    else await output.copy(region, 0, region.size);
    await output.flush();
    return this.#report;
  }

  async #assemble(plan: Plan, whole: Region, sink: Sink): Promise<void> {
    const spool = this.#getSpool();
    await new Assembly(plan, await spool.toRegion(), sink, this.#run).write(whole);
  }

  #getSpool(): Sink {
    this.#spool ??= this.#openSpool();
    return this.#spool;
  }

  /** Finds the changes of an archive; undefined if nothing changes. */
  async #plan(region: Region, path: string, depth: number): Promise<Plan | undefined> {
    const archive = await findArchive(region);
    if (!archive) {
      const what = 'is not a zip archive, or is truncated: the directory at its end is missing';
      throw this.#run.fail('not-an-archive', path, `${what}; get a complete copy of it`);
    }
    const entries: Entries = { changes: new Map(), signatures: [], manifests: [] };
    const overlap = new Overlap(path, this.#run);
    let place = 0;
    for await (const entry of readDirectory(archive, path, this.#run)) {
      const name = path ? `${path}!/${entry.name}` : entry.name;
      const inner = this.#run.paths.add(name, place + 1);
      const item = { archive: archive.region, entry, path: inner };
      if (isSignature(entry.name)) entries.signatures.push(place);
      else if (isManifest(entry.name)) entries.manifests.push([place, item]);
      const change = await this.#change(item, depth, overlap);
      if (change) entries.changes.set(place, change);
      place++;
    }
    return this.#finish(archive, path, entries);
  }

  /** Returns the change of an entry; undefined if it stays. */
  async #change(item: Item, depth: number, overlap: Overlap): Promise<Change | undefined> {
    const form = await identify(item, this.#run);
    if (form !== 'class' && form !== 'archive') return undefined;
    overlap.take(item.entry, item.path, item.archive);
    if (form === 'class') return this.#changeClass(item);
    if (depth >= this.#run.limits.maxDepth) throw this.#run.failDepth(item.path);
    const region = await openArchive(item, this.#run);
    const plan = await this.#plan(region, item.path, depth + 1);
    return plan && this.#changeArchive(item, region, plan);
  }

  async #changeClass(item: Item): Promise<Change | undefined> {
    const bytes = await readContent(item, 'class', this.#run);
    if (!bytes) return undefined;
    const { classes, changed } = this.#report;
    this.#report = { ...this.#report, classes: classes + 1 };
    const rewritten = await this.#call(item.path, bytes);
    if (!rewritten || Buffer.compare(rewritten, bytes) === 0) return undefined;
    this.#report = { ...this.#report, changed: changed + 1 };
    return this.#keep(item, rewritten);
  }

  async #call(path: string, bytes: Uint8Array): Promise<Uint8Array | undefined> {
    let rewritten: unknown;
    try {
      // A copy, since the callback may write to it.
      rewritten = await this.#rewrite({ path, bytes: bytes.slice() });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw this.#run.fail('rewrite', path, `was not rewritten: ${message}`, error);
    }
    // This accepts arrays of other realms, such as jest's.
    if (rewritten === undefined || isUint8Array(rewritten)) return rewritten;
    const what = `was rewritten as ${rewritten === null ? 'null' : typeof rewritten}`;
    throw this.#run.fail('rewrite', path, `${what}; return a Uint8Array, or undefined`);
  }

  /** Writes the new bytes of an entry to the spool, compressed as before. */
  async #keep({ entry }: Item, bytes: Uint8Array): Promise<Change> {
    const spool = this.#getSpool();
    const { position } = spool;
    const data = isStored(entry) ? bytes : await deflateLater(bytes);
    await spool.write(data);
    return { position, checksum: crc32(bytes), compressedSize: data.length, size: bytes.length };
  }

  /** Writes an archive within to the spool, compressed as before. */
  async #changeArchive({ entry }: Item, region: Region, plan: Plan): Promise<Change> {
    const spool = this.#getSpool();
    const changed = await spool.toRegion();
    const start = spool.position;
    spool.checksum = 0;
    await new Assembly(plan, changed, spool, this.#run).write(region);
    const { checksum } = spool;
    const size = spool.position - start;
    if (isStored(entry)) return { position: start, checksum, compressedSize: size, size };
    const whole = await spool.toRegion();
    const position = spool.position;
    for await (const chunk of deflate(whole, start, start + size)) await spool.write(chunk);
    return { position, checksum, compressedSize: spool.position - position, size };
  }

  /** Drops signatures if the archive changes and the option allows it. */
  async #finish(
    archive: Archive,
    path: string,
    { changes, signatures, manifests }: Entries,
  ): Promise<Plan | undefined> {
    if (changes.size === 0) return undefined;
    if (archive.isAmbiguous) {
      const what = 'has a 32-bit and a 64-bit end record that disagree';
      throw this.#run.fail('directory', path, `${what}; create it again`);
    }
    const block = await findSigningBlock(archive);
    const count = signatures.length + (block === undefined ? 0 : 1);
    if (count > 0 && this.#signatures !== 'drop') {
      const what = 'is signed, and its signature does not match other classes';
      throw this.#run.fail('signed', path, `${what}; drop signatures, and sign the output`);
    }
    for (const place of signatures) changes.set(place, 'drop');
    if (signatures.length > 0) {
      for (const [place, item] of manifests) {
        const bytes = await readEntry(
          item.archive,
          item.entry,
          item.path,
          this.#run,
          'maxJarBytes',
        );
        const kept = dropDigests(bytes);
        if (kept.length < bytes.length) changes.set(place, await this.#keep(item, kept));
      }
    }
    this.#report = { ...this.#report, dropped: this.#report.dropped + count };
    return { archive, path, changes, block };
  }
}

/** Compresses a part of a region. */
async function* deflate(
  region: Region,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const stream = createDeflateRaw();
  const write = async (): Promise<void> => {
    for await (const chunk of chunksOf(region, start, end)) {
      // The view becomes invalid with the next chunk, and the stream uses it later.
      if (!stream.write(chunk.slice())) await new Promise((done) => stream.once('drain', done));
    }
    stream.end();
  };
  const writing = write().catch((error) => stream.destroy(error));
  yield* stream as AsyncIterable<Uint8Array>;
  await writing;
}

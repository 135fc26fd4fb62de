/** A conversion of records under way: what is written, counted and kept for a run after this one. */
import { FormatFailure, findFormat } from '../formats/index.js';
import { kinds } from '../kind.js';
import type { Progress } from '../progress.js';
import type { Source } from '../source.js';
import { count } from '../tally.js';
import { type Counts, NONE, sum } from './counts.js';
import { rewriteTogether } from './crew.js';
import { Digest, type DigestState, LINK } from './digest.js';
import type { Refusal } from './finding.js';
import type { Checkpoint, JournalWriter } from './journal.js';
import type { RecordOptions } from './options.js';
import { createRewriter, type Order } from './order.js';
import { type Parts, type Places, readPart } from './parts.js';
import { countTo, findPlace } from './place.js';
import type { Rewritten } from './rewrite.js';
import { type Segment, segments } from './segments.js';
import { formatLine, formatSplices } from './undo.js';

/** How much is read between two checkpoints, in bytes. */
const STRIDE = 1 << 23;

/** What is to be known of a segment when it has been rewritten. */
interface Known extends Omit<Segment, 'bytes'> {
  /** In bytes. */
  readonly length: number;
  /** That of the original behind it. */
  readonly digest: DigestState | undefined;
}

/** The digests of the two files that an undo file is about. */
interface Digests {
  readonly original: Digest;
  readonly output: Digest;
}

/** Converts an input, from its beginning or from where an earlier run was killed. */
export class Run {
  readonly #source: Source;
  readonly #options: RecordOptions;
  readonly #parts: Parts;
  readonly #progress: Pick<Progress, 'advance'>;
  readonly #format;
  #journal: JournalWriter | undefined;
  #digests: Digests | undefined;
  #counts: Counts = NONE;
  /** How much has been read since the last checkpoint, in bytes. */
  #unsaved = 0;
  /** A checkpoint that is on its way to the disk, and what came in its way. */
  #saving: Promise<void> | undefined;
  #failure: unknown;
  /** Whether a later run could go on with this one. */
  isSaved = false;

  constructor(
    source: Source,
    options: RecordOptions,
    parts: Parts,
    progress: Pick<Progress, 'advance'>,
  ) {
    const { name, options: dialect } = options.format;
    this.#source = source;
    this.#options = options;
    this.#parts = parts;
    this.#progress = progress;
    this.#format = findFormat(name, dialect);
  }

  /** Has checkpoints written down. */
  keep(journal: JournalWriter): void {
    this.#journal = journal;
  }

  /**
   * Converts everything.
   *
   * @returns What ended the run before that.
   */
  async convert(): Promise<Refusal | undefined> {
    const { range, undo, from, to, format } = this.#options;
    const start = await findPlace(this.#source, this.#format, range?.from ?? 0);
    if (undo !== undefined) {
      this.#digests = { original: await Digest.create(), output: await Digest.create() };
      const size = range ? null : (this.#source.size ?? null);
      const labels = { from: from.label, to: to.label, format: format.name };
      await this.#parts.write('undo', Buffer.from(formatLine({ undo: 1, size, ...labels })));
    }
    return this.#convertFrom(start.offset, start.state);
  }

  /** Goes on with what an earlier run has left. */
  async resume(checkpoint: Checkpoint, places: Places): Promise<Refusal | undefined> {
    const { offset, state, counts, digests, sizes } = checkpoint;
    this.#counts = counts;
    this.isSaved = true;
    const tailSize = digests ? digests.original.size % LINK : 0;
    const tail = await this.#moveTo(offset, tailSize);
    if (digests) {
      const { output: size = 0 } = sizes;
      const written = readPart(places.output?.temporary ?? '', size - (size % LINK), size);
      this.#digests = {
        original: await Digest.resume(digests.original, tail),
        output: await Digest.resume(digests.output, written),
      };
    }
    await this.#progress.advance(counts.bytesRead);
    return this.#convertFrom(offset, state);
  }

  /** Has the source go on at an offset, and returns so many bytes that are before it. */
  async #moveTo(offset: number, length: number): Promise<Uint8Array> {
    const tail = new Uint8Array(length);
    let position = this.#source.size === undefined ? 0 : offset - length;
    const memory = new Uint8Array(LINK);
    while (position < offset - length) {
      const most = Math.min(memory.length, offset - length - position);
      const read = await this.#source.read(memory.subarray(0, most), position);
      if (read === 0) break;
      position += read;
    }
    for (let done = 0; done < length; ) {
      const read = await this.#source.read(tail.subarray(done), position + done);
      if (read === 0) break;
      done += read;
    }
    return tail;
  }

  async #convertFrom(
    from: number,
    state: Segment['state'] | undefined,
  ): Promise<Refusal | undefined> {
    const { range, jobs } = this.#options;
    const cuts = segments(this.#source, this.#format, {
      from,
      state,
      to: range?.to ?? Number.POSITIVE_INFINITY,
      owned: jobs > 1,
    });
    const order = this.#describeOrder();
    const rewritten =
      jobs > 1
        ? rewriteTogether(this.#watch(cuts), order, jobs)
        : rewriteInTurn(this.#watch(cuts), order);
    try {
      for await (const [known, result] of rewritten) {
        await this.#write(known, result);
        if (result.refusal) return await this.#locate(result.refusal);
        this.#save(known);
        if (this.#failure) throw this.#failure;
        await this.#progress.advance(known.length);
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof FormatFailure)) throw error;
      const { line } = await this.#countBefore();
      throw new FormatFailure(error.reason, error.line + line, error.column);
    }
  }

  #describeOrder(): Order {
    const { format, from, to, loneHalves, nul, errors, rejects, undo } = this.#options;
    return {
      format,
      repair: { from: from.label, to: to.label, loneHalves, nul, errors },
      rewrite: { rejects: rejects !== undefined, undo: undo !== undefined },
    };
  }

  /** Adds to segments what is to be known when their bytes have gone elsewhere. */
  async *#watch(cuts: AsyncIterable<Segment>): AsyncGenerator<[Segment, Known], void, undefined> {
    for await (const segment of cuts) {
      const { bytes, ...known } = segment;
      const { length } = bytes;
      this.#digests?.original.add(bytes);
      yield [segment, { ...known, length, digest: this.#digests?.original.state }];
    }
  }

  async #write(known: Known, { output, rejects, edits, counts }: Rewritten): Promise<void> {
    const offset = this.#counts.bytesWritten;
    this.#digests?.output.add(output);
    await this.#parts.write('output', output);
    await this.#parts.write('rejects', rejects);
    if (edits.numbers.length > 0) {
      await this.#parts.write('undo', Buffer.from(formatSplices(edits, offset)));
    }
    this.#counts = sum(this.#counts, counts);
    this.#unsaved += known.length;
  }

  /** Begins to write down how far everything has come, unless that is under way. */
  #save({ offset, length, next, digest }: Known): void {
    const journal = this.#journal;
    if (!journal || this.#unsaved < STRIDE || this.#saving) return;
    this.#unsaved = 0;
    const checkpoint: Checkpoint = {
      offset: offset + length,
      state: next,
      sizes: this.#parts.sizes,
      counts: this.#counts,
      digests: digest && this.#digests && { original: digest, output: this.#digests.output.state },
    };
    this.#saving = this.#parts
      .sync()
      .then(() => {
        journal.add(checkpoint);
        this.isSaved = true;
      })
      .catch((error) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#saving = undefined;
      });
  }

  /** Waits for the checkpoint that is under way. */
  async settle(): Promise<void> {
    await this.#saving;
  }

  /** Writes what belongs at the end, and waits until all is on the disk. */
  async finish(): Promise<void> {
    await this.settle();
    if (this.#failure) throw this.#failure;
    const { original, output } = this.#digests ?? {};
    if (original && output) {
      const footer = {
        original: { size: original.state.size, digest: original.finish() },
        output: { size: output.state.size, digest: output.finish() },
      };
      await this.#parts.write('undo', Buffer.from(formatLine(footer)));
    }
    const stats = `${JSON.stringify(this.describe(), null, 2)}\n`;
    await this.#parts.write('stats', Buffer.from(stats));
    await this.#parts.finish();
  }

  /** A refusal with the numbers that it has in the whole file. */
  async #locate(refusal: Refusal): Promise<Refusal> {
    const { line, record } = await this.#countBefore();
    return {
      ...refusal,
      line: refusal.line + line,
      record: refusal.record === 0 ? 0 : refusal.record + record,
    };
  }

  /** Counts what is before a range and has not been, since nobody has read it where lines are units. */
  async #countBefore(): Promise<{ line: number; record: number }> {
    const start = await findPlace(this.#source, this.#format, this.#options.range?.from ?? 0);
    if (start.isCounted) return { line: 0, record: 0 };
    const { state } = await countTo(this.#source, this.#format, start.offset);
    const { line = 1, record = 1 } = start.state ?? {};
    return { line: (state?.line ?? 1) - line, record: (state?.record ?? 1) - record };
  }

  /** The statistics, as JSON has them. */
  describe(): object {
    const { format, from, to, errors, loneHalves, nul } = this.#options;
    const { records, rejected, changed, findings, ...bytes } = this.#counts;
    return {
      file: this.#source.name,
      format: format.name,
      from: from.label,
      to: to.label,
      errors,
      loneHalves,
      nul,
      ...bytes,
      records: { in: records, out: records - rejected, rejected, changed },
      findings: { ...Object.fromEntries(kinds.map((kind) => [kind, 0])), ...findings },
    };
  }

  /** What was not merely converted, in one line; nothing where all was well. */
  summarize(): string {
    const { json, rejects } = this.#options;
    const { records, rejected, findings } = this.#counts;
    const found = kinds.filter((kind) => findings[kind]);
    const isPlain = found.every((kind) => kind === 'pair' || kind === 'four-byte form');
    if (rejected === 0 && isPlain) return '';
    if (json) return `${JSON.stringify({ records, rejected, findings })}\n`;
    const list = found.map((kind) => `${kind} ${findings[kind]}`).join(', ');
    const gone = rejected === 0 ? '' : `${rejected} of them rejected, to ${rejects}; `;
    return `utf8: ${count(records, 'record')}, ${gone}found: ${list}\n`;
  }
}

/** Rewrites segments, one after the other. */
async function* rewriteInTurn<Known>(
  segments: AsyncIterable<[Segment, Known]>,
  order: Order,
): AsyncGenerator<[Known, Rewritten], void, undefined> {
  const rewriter = createRewriter(order);
  for await (const [segment, known] of segments) yield [known, rewriter.rewrite(segment)];
}

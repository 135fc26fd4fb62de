/** A running conversion: its segments in order, its outputs, and checkpoints. */
import { codecFor } from '@utf8/detect';
import type { Progress } from '../checkpoint/checkpoint.js';
import { addPosition, FIRST, type LineColumn, Locator } from '../cut/position.js';
import { endsUnit, type Segment, segments } from '../cut/segments.js';
import { countTo, findStart, type RangeStart } from '../cut/start.js';
import type { Format, ReaderState } from '../format/format.js';
import { FormatError } from '../format/format-error.js';
import type { Source } from '../open/source.js';
import { type ConvertPlan, createTask } from '../plan.js';
import { runInOrder, SpareMemory } from '../pool/pool.js';
import type { Work } from '../pool/work.js';
import type { RecordRepairer } from '../repair/record-repairer.js';
import { removeComma } from '../rewrite/array.js';
import { encodeBom, startsWith, stripBom } from '../rewrite/bom.js';
import type { EditList } from '../rewrite/edits.js';
import type { FaultRefusal, RecordRefusal } from '../rewrite/refusal.js';
import {
  createConversion,
  type RecordCounts,
  type RejectSettings,
  type RewriteTask,
} from '../rewrite/rewriter.js';
import { createTranscription, type TranscribeTask } from '../rewrite/transcriber.js';
import type { RunOptions } from '../run-options.js';
import type { CutIndex } from '../seek/cut-index.js';
import { Digest, type DigestState, LINK } from '../sink/digest.js';
import { formatLine, formatSplices } from '../sink/undo.js';
import { isTested, stride } from '../test-distance.js';
import { RecordLedger, TextLedger } from './ledger.js';

const OPEN_BRACKET = Buffer.from('[');

/** Destinations of results: the files of a run, or a stream. */
export interface Sinks {
  has(name: SinkName): boolean;
  write(name: SinkName, bytes: Uint8Array): Promise<void>;
}

/** The results of a run. */
export type SinkName = 'output' | 'rejects' | 'undo' | 'stats';

/** Data about a segment that outlives its bytes. */
interface Known extends Omit<Segment, 'bytes' | 'ahead'> {
  /** In bytes. */
  readonly length: number;
  /** True if it begins with U+FEFF that is to be removed. */
  readonly isMarked: boolean;
  /** State of the digest of the original after it. */
  readonly digest: DigestState | undefined;
}

/** The common part of the results of all tasks. */
interface Result {
  readonly output: Uint8Array;
  readonly rejects?: Uint8Array;
  readonly rejectSettings?: RejectSettings | undefined;
  readonly edits: EditList | undefined;
  readonly counts: object;
  readonly refusal: Omit<FaultRefusal, 'file'> | Omit<RecordRefusal, 'file'> | undefined;
  readonly moved?: LineColumn | undefined;
}

/** Digests of the two files that an undo file is about. */
interface Digests {
  readonly original: Digest;
  readonly output: Digest;
}

/** Least number of bytes to read for each byte of checkpoints, so that these take a small part of the time. */
const READ_PER_SAVED = 8;

/** Saves checkpoints during a conversion. */
export interface Checkpoints {
  /** Saves one when everything written so far survives a crash, and returns its size in bytes. */
  save(progress: Omit<Progress, 'outputs'>): Promise<number>;
}

/** Converts inputs, from the beginning or from where an earlier run was interrupted. */
export class Run {
  readonly ledger: TextLedger | RecordLedger;
  readonly #plan: ConvertPlan;
  readonly #format: Format;
  readonly #sinks: Sinks;
  readonly #onProgress: NonNullable<RunOptions['onProgress']>;
  readonly #total: number | undefined;
  #checkpoints: Checkpoints | undefined;
  #index: CutIndex | undefined;
  #digests: Digests | undefined;
  /** U+FEFF in the output, and whether it is removed from records; plain text removes its own. */
  readonly #mark: Uint8Array;
  readonly #strips: boolean;
  /** Bytes to read between two checkpoints, and bytes read since the last one. */
  #stride = 0;
  #unsaved = 0;
  /** A checkpoint on its way to the disk, and what failed on it. */
  #saving: Promise<void> | undefined;
  #failure: unknown;
  /** True if the range begins after an element of an array that is kept. */
  #isWithin = false;
  /** True if a later run could continue this one. */
  isSaved = false;
  /** State of the reader after the segments that have been read. */
  state: ReaderState | undefined;

  constructor(
    plan: ConvertPlan,
    sinks: Sinks,
    total: number | undefined,
    onProgress: RunOptions['onProgress'],
  ) {
    this.#plan = plan;
    this.#format = plan.format;
    this.#sinks = sinks;
    this.#total = total;
    this.#onProgress = onProgress ?? (() => {});
    const isRaw = plan.repairer === undefined;
    this.#mark = encodeBom(codecFor(plan.to));
    this.#strips = !isRaw && plan.bom === 'strip';
    this.ledger = isRaw
      ? new TextLedger(plan, codecFor(plan.to))
      : new RecordLedger(plan, codecFor(plan.to));
  }

  /** Writes checkpoints from now on. */
  keep(checkpoints: Checkpoints): void {
    this.#checkpoints = checkpoints;
    this.#stride = stride();
  }

  /** Finds ranges by an index from now on. */
  useIndex(index: CutIndex): void {
    this.#index = index;
  }

  /** Writes the bytes before all inputs. */
  async begin(size: number | undefined): Promise<void> {
    if (!this.#sinks.has('undo')) return;
    const { from, to, format } = this.#plan;
    this.#digests = { original: await Digest.create(), output: await Digest.create() };
    const header = formatLine({ undo: 1, size: size ?? null, from, to, format: format.name });
    await this.#sinks.write('undo', Buffer.from(header));
  }

  /**
   * Converts an input.
   *
   * @returns What ended the run before the end of the input.
   */
  async convert(source: Source): Promise<FaultRefusal | RecordRefusal | undefined> {
    const start = await this.#findStart(source);
    return this.#convertFrom(source, start.offset, start.state);
  }

  async #findStart(source: Source): Promise<RangeStart> {
    const { from } = this.#plan.range;
    if (!this.#index) return findStart(source, this.#format, from);
    return countTo(source, this.#format, from, undefined, await this.#index.findCut(from));
  }

  /** Continues an earlier run; `readOutput` returns bytes that it wrote. */
  async resume(
    source: Source,
    progress: Progress,
    readOutput: (start: number, end: number) => Uint8Array,
  ): Promise<FaultRefusal | RecordRefusal | undefined> {
    const { offset, state, counts, digests } = progress;
    this.ledger.restore(counts);
    this.isSaved = true;
    const tail = await moveTo(source, offset, digests ? digests.original.size % LINK : 0);
    if (digests) {
      const { size } = digests.output;
      const written = readOutput(size - (size % LINK), size);
      this.#digests = {
        original: await Digest.resume(digests.original, tail),
        output: await Digest.resume(digests.output, written),
      };
    }
    await this.#onProgress(this.ledger.counts.bytesRead, this.#total);
    return this.#convertFrom(source, offset, state);
  }

  async #convertFrom(
    source: Source,
    from: number,
    state: ReaderState | undefined,
  ): Promise<FaultRefusal | RecordRefusal | undefined> {
    const { jobs, range } = this.#plan;
    const format = this.#format;
    this.#isWithin = await this.#isKeptBefore(source, range.from);
    const tracks = format.findBoundary !== undefined && source.size === undefined;
    const rejects = this.#sinks.has('rejects');
    const task = createTask(this.#plan, { rejects, undo: this.#sinks.has('undo'), tracks });
    const work = jobs > 1 ? undefined : this.#createWork(task);
    const spare = new SpareMemory();
    const cuts = segments(source, format, {
      from,
      state,
      to: (await format.findBoundary?.(source, range.to)) ?? range.to,
      allocate: jobs > 1 ? spare.take : undefined,
      memory: work?.memory,
      isClean: this.#plan.repairer?.isClean,
    });
    let position = FIRST;
    const isEach = isTested();
    try {
      for await (const [known, result] of runInOrder<Known, Result, typeof task>(
        this.#watch(cuts),
        task,
        (task) => work ?? this.#createWork(task),
        jobs,
        spare,
      )) {
        await this.#write(known, result);
        this.state = known.next;
        if (result.refusal) return await this.#locate(source, known, position, result.refusal);
        if (result.moved) position = addPosition(position, result.moved);
        this.#save(known);
        if (isEach) await this.#saving;
        if (this.#failure) throw this.#failure;
        await this.#onProgress(this.ledger.counts.bytesRead, this.#total);
      }
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      const { line } = await this.#countBefore(source);
      throw new FormatError(error.parts, error.line + line, error.column).in(source.name);
    }
    await source.verify();
    this.ledger.endFile();
    return undefined;
  }

  #createWork(task: RewriteTask | TranscribeTask): Work {
    return task.task === 'transcribe'
      ? createTranscription(task)
      : createConversion(task, this.#plan.repairer);
  }

  /** Adds data to segments that outlives their bytes. */
  async *#watch(cuts: AsyncIterable<Segment>): AsyncGenerator<[Segment, Known], void, undefined> {
    for await (const segment of cuts) {
      const { bytes, ahead: _, ...known } = segment;
      const { length } = bytes;
      this.#digests?.original.add(bytes);
      const isMarked = this.#strips && segment.offset === 0 && startsWith(bytes, this.#mark);
      yield [segment, { ...known, length, isMarked, digest: this.#digests?.original.state }];
    }
  }

  async #write({ length, isMarked }: Known, result: Result): Promise<void> {
    const placed = this.#format.isArray ? this.#placeCommas(result) : result;
    const { output, rejects, rejectSettings, edits, counts } = isMarked
      ? this.#stripMark(placed)
      : placed;
    const mark = output.length > 0 ? this.ledger.begin(output) : undefined;
    if (mark) await this.#writeMark(mark);
    const offset = this.ledger.counts.bytesWritten;
    if (edits && edits.numbers.length > 0) await this.#writeEdits(edits, offset);
    await this.#writeOutput(output);
    // Settings are written where they differ from those of the last record that was rejected.
    const known = rejectSettings ? this.ledger.passSettings(rejectSettings) : 0;
    if (rejects) await this.#sinks.write('rejects', rejects.subarray(known));
    this.ledger.add(counts as never);
    this.#unsaved += length;
  }

  /** Makes arrays of the elements that are kept, and of those that are rejected. */
  #placeCommas(result: Result): Result {
    const before = this.ledger.counts as RecordCounts;
    const counts = result.counts as RecordCounts;
    const { rejects } = result;
    let { output, edits } = result;
    const keptBefore = this.#isWithin || before.records > before.rejected;
    const isKept = counts.records > counts.rejected;
    if (isKept && !keptBefore && before.rejected + counts.rejected > 0) {
      ({ output, edits } = removeComma({ output, edits }));
    }
    if (rejects && rejects.length > 0 && before.rejected === 0) rejects.set(OPEN_BRACKET);
    return { ...result, output, edits, counts: { ...counts, bytesWritten: output.length } };
  }

  /** Removes U+FEFF from the start of the output. */
  #stripMark(result: Result): Result {
    const stripped = stripBom(result, this.#mark);
    return { ...stripped, counts: { ...result.counts, bytesWritten: stripped.output.length } };
  }

  /** Tells whether an element before an offset is kept, so that those after it need a comma. */
  async #isKeptBefore(source: Source, offset: number): Promise<boolean> {
    if (offset === 0 || !this.#format.isArray || !this.#sinks.has('rejects')) return false;
    const task = createTask(this.#plan, { rejects: true, undo: false, tracks: false });
    const work = this.#createWork(task);
    const { isClean } = this.#plan.repairer as RecordRepairer;
    for await (const segment of segments(source, this.#format, { to: offset, isClean })) {
      const { records, rejected } = (work(segment) as { counts: RecordCounts }).counts;
      if (records > rejected) return true;
    }
    return false;
  }

  /** Writes a byte order mark that the input does not have. */
  async #writeMark(mark: Uint8Array): Promise<void> {
    const numbers = Float64Array.of(0, mark.length, 0);
    await this.#writeEdits({ numbers, originals: mark.subarray(0, 0) }, 0);
    await this.#writeOutput(mark);
  }

  /** @param offset - Start of the output of these edits. */
  async #writeEdits(edits: EditList, offset: number): Promise<void> {
    // An array is edited, and a mark is added, whether anyone undoes it or not.
    if (this.#sinks.has('undo')) await this.#sinks.write('undo', formatSplices(edits, offset));
  }

  async #writeOutput(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    this.#digests?.output.add(bytes);
    await this.#sinks.write('output', bytes);
  }

  /** Starts to write a checkpoint if one is due. */
  #save(known: Known): void {
    const { offset, length, next, digest } = known;
    const checkpoints = this.#checkpoints;
    if (!checkpoints || this.#unsaved < this.#stride || this.#saving || !endsUnit(known)) return;
    this.#unsaved = 0;
    const progress = {
      offset: offset + length,
      state: next,
      counts: this.ledger.state,
      digests: digest && this.#digests && { original: digest, output: this.#digests.output.state },
    };
    this.#saving = checkpoints
      .save(progress)
      .then((size) => {
        this.isSaved = true;
        // A catalogue of many tables is written as often as its size allows.
        this.#stride = Math.max(stride(), size * READ_PER_SAVED);
      })
      .catch((error) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#saving = undefined;
      });
  }

  /** Waits for the checkpoint that is being written. */
  async settle(): Promise<void> {
    await this.#saving;
  }

  /** Writes the bytes after all inputs. */
  async finish(): Promise<void> {
    await this.settle();
    if (this.#failure) throw this.#failure;
    const mark = this.ledger.begin(new Uint8Array());
    if (mark) await this.#writeMark(mark);
    const { original, output } = this.#digests ?? {};
    if (original && output) {
      const footer = {
        original: { size: original.state.size, digest: original.finish() },
        output: { size: output.state.size, digest: output.finish() },
      };
      await this.#sinks.write('undo', Buffer.from(formatLine(footer)));
    }
    if (this.#format.isArray && this.#sinks.has('rejects')) {
      const { rejected } = this.ledger.counts as RecordCounts;
      await this.#sinks.write('rejects', Buffer.from(rejected > 0 ? '\n]\n' : '[]\n'));
    }
    const stats = `${JSON.stringify({ type: 'stats', ...this.ledger.describe() }, null, 2)}\n`;
    if (this.#sinks.has('stats')) await this.#sinks.write('stats', Buffer.from(stats));
  }

  /** Completes a refusal with the numbers that it has in the whole file. */
  async #locate(
    source: Source,
    { offset }: Known,
    position: LineColumn,
    refusal: NonNullable<Result['refusal']>,
  ): Promise<FaultRefusal | RecordRefusal> {
    if ('record' in refusal) {
      const { line, record } = await this.#countBefore(source);
      return {
        file: source.name,
        ...refusal,
        line: refusal.line + line,
        record: refusal.record === 0 ? 0 : refusal.record + record,
      };
    }
    const base =
      source.size === undefined
        ? position
        : await new Locator(source, codecFor(this.#plan.from)).at(offset);
    return { file: source.name, ...refusal, ...addPosition(base, refusal) };
  }

  /** Counts lines and records before a range, if they were not counted. */
  async #countBefore(source: Source): Promise<{ line: number; record: number }> {
    const start = await this.#findStart(source);
    if (start.isCounted) return { line: 0, record: 0 };
    const { state } = await countTo(source, this.#format, start.offset);
    const { line = 1, record = 1 } = start.state ?? {};
    return { line: (state?.line ?? 1) - line, record: (state?.record ?? 1) - record };
  }
}

/** Moves a source to an offset, and returns a number of bytes before it. */
async function moveTo(source: Source, offset: number, length: number): Promise<Uint8Array> {
  const tail = new Uint8Array(length);
  const memory = new Uint8Array(LINK);
  let position = source.size === undefined ? 0 : offset - length;
  while (position < offset - length) {
    const most = Math.min(memory.length, offset - length - position);
    const count = await source.read(memory.subarray(0, most), position);
    if (count === 0) break;
    position += count;
  }
  for (let done = 0; done < length; ) {
    const count = await source.read(tail.subarray(done), position + done);
    if (count === 0) break;
    done += count;
  }
  return tail;
}

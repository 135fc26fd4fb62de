/** Writes the index of a file while the file is read. */
import { stopAt } from '@utf8/files';
import { endsUnit, SEGMENT, type Segment, segments } from '../cut/segments.js';
import { UsageError } from '../error.js';
import type { Format } from '../format/format.js';
import type { Source } from '../open/source.js';
import { notify, type OnNotice } from '../phrase.js';
import type { FormatChoice } from '../pool/work.js';
import { type Output, openOutput } from '../sink/output.js';
import { cutDistance } from '../test-distance.js';
import {
  CutIndex,
  type CutLine,
  describeHead,
  formatIndex,
  isIndex,
  sumBefore,
} from './cut-index.js';
import { findDelta } from './delta.js';

/**
 * The most cuts of a file: 128 GiB have one every MiB, larger files fewer. Every range reads the index
 * as a whole, so it must stay small: 10 MB, unless the states of its cuts are large.
 */
const MOST = 1 << 17;

/** An index that is not complete yet. */
export class IndexWriter {
  readonly #output: Output;
  readonly #lines: string[] = [];
  #offset = 0;
  #context: unknown = null;

  private constructor(output: Output) {
    this.#output = output;
  }

  /**
   * Checks that an index can be written to a path, where only another index may be.
   *
   * @throws {@link UsageError} if another file is there.
   * @throws {@link OutputError} if nothing can be written there.
   */
  static async open(path: string): Promise<IndexWriter> {
    isIndex(path);
    return new IndexWriter(await openOutput(path));
  }

  /** Passes segments on, from the first one of a file, and notes where units begin. */
  async *watch(
    source: Source,
    cuts: AsyncIterable<Segment>,
  ): AsyncGenerator<Segment, void, undefined> {
    const { size = 0 } = source;
    const step = Math.max(cutDistance(), Math.ceil(size / MOST));
    for await (const segment of cuts) {
      const offset = segment.offset + segment.bytes.length;
      const isDue = offset - this.#offset >= step && offset < size && endsUnit(segment);
      if (isDue) await this.#add(source, offset, segment.next);
      yield segment;
    }
  }

  async #add(
    source: Source,
    offset: number,
    { line, record, context }: Segment['next'],
  ): Promise<void> {
    const change = findDelta(this.#context, context);
    const before = await sumBefore(source, offset);
    const cut: CutLine = { offset, line, record, context: change, before };
    this.#lines.push(JSON.stringify(cut));
    this.#offset = offset;
    this.#context = context;
  }

  /** Writes the index of a file that has been read. To be called once nothing can fail in the file. */
  async finish(source: Source, format: FormatChoice): Promise<void> {
    const bytes = formatIndex(describeHead(source, format), this.#lines);
    // In two parts, between which a test can interrupt it.
    const half = bytes.length >> 1;
    await this.#output.write(bytes.subarray(0, half));
    stopAt('index');
    await this.#output.write(bytes.subarray(half));
    await this.#output.finish();
  }

  commit(): void {
    this.#output.commit();
  }

  /** Removes the unfinished file; does nothing after {@link commit}. */
  discard(): void {
    this.#output.discard();
  }
}

/** Opens the index of a file; if there is none, all of the file is read to write it. */
export async function openIndex(
  path: string,
  source: Source,
  format: Format,
  choice: FormatChoice,
  onNotice?: OnNotice,
): Promise<CutIndex> {
  const index = CutIndex.read(path, source, choice);
  if (index) return index;
  const writer = await IndexWriter.open(path);
  try {
    const size = Math.min(SEGMENT, cutDistance());
    const cuts = writer.watch(source, segments(source, format, { size, isClean: () => true }));
    while (!(await cuts.next()).done);
    await source.verify();
    await writer.finish(source, choice);
    writer.commit();
  } finally {
    writer.discard();
  }
  await notify(onNotice, `wrote ${path} after reading all of ${source.name}`);
  return openIndex(path, source, format, choice);
}

/** Scans files: one reading finds what changes, and a second one the keys that become equal. */
import { statSync } from 'node:fs';
import { codecFor } from '@utf8/detect';
import { type Claimed, openClaimed } from '../checkpoint/resumption.js';
import type { Segment } from '../cut/segment.js';
import { SEGMENT, segments } from '../cut/segments.js';
import { countTo, type RangeStart } from '../cut/start.js';
import { InputError, UsageError } from '../error.js';
import type { DeclaredKey, UnstatedEncoding } from '../format/format.js';
import { FormatError } from '../format/format-error.js';
import { findFormat } from '../format/registry.js';
import { LF } from '../format/shared/ascii.js';
import { openInput } from '../open/input.js';
import { measure, type Source, STDIN } from '../open/source.js';
import { findOrphans } from '../orphan/find-orphans.js';
import { toPath } from '../path/file-name.js';
import { refuseSharedPaths } from '../path/shared-paths.js';
import { createPlan, describeRepair } from '../plan.js';
import { runInOrder, SpareMemory } from '../pool/pool.js';
import { readInputs, requireRegular } from '../run-options.js';
import { IndexWriter, openIndex } from '../seek/index-writer.js';
import { cutDistance } from '../test-hook.js';
import { Turns } from '../turns.js';
import { Collisions } from './collisions.js';
import { nameCount, parseLimit } from './column.js';
import {
  createInspection,
  createScreen,
  type Inspected,
  type InspectTask,
  NAMED,
} from './inspection.js';
import { findReordered, type KeyedRecord } from './key.js';
import type { ScanFinding } from './scan-finding.js';
import type { ScanOptions } from './scan-options.js';
import { type ScannedFile, type ScanReport, ScanSummary } from './scan-report.js';

/** Does what {@link scanDump} says. */
export async function runScan(options: ScanOptions): Promise<ScanReport> {
  const { keys = [], limits = [], max = 3, onFinding, onFailure } = options;
  const files = readInputs(options.input);
  // Only a conversion of records is limited to one input.
  const plan = createPlan(files.slice(0, 1), options);
  const { from, range, jobs } = plan;
  const format = findFormat(plan.format.name, plan.format.options);
  const repair = describeRepair(plan);
  const keepsAll = options.report !== undefined || onFinding !== undefined;
  /** Columns of the options that no record has had so far, and some columns of records. */
  const unseen = new Set([...keys, ...limits.map((limit) => parseLimit(limit).column.text)]);
  const names = new Set<string>();
  const summary = new ScanSummary(max, plan.mojibake);
  const collisions = new Collisions();
  const scanned: ScannedFile[] = [];
  const canRepeat = !options.range && files.every(isRegular);
  const declaredKeys = new Map<string, readonly DeclaredKey[]>();
  /** The last record with a key. */
  let last: KeyedRecord | undefined;
  let report: Claimed | undefined;
  /** An index of the whole file that is scanned. */
  let writer: IndexWriter | undefined;
  /** What the report is to get next. */
  let lines = '';
  let total: number | undefined;
  let done = 0;

  /** Passes a finding on. Returns a promise only if there is something to wait for. */
  const add = (finding: ScanFinding): unknown => {
    summary.show(finding);
    const received = onFinding?.(finding);
    if (!report) return received;
    lines += `${JSON.stringify(finding)}\n`;
    if (lines.length < BATCH) return received;
    const bytes = Buffer.from(lines);
    lines = '';
    return Promise.all([received, report.outputs.write('output', bytes)]);
  };

  /** Adds a finding that no segment has counted. */
  const addCounted = async (finding: ScanFinding): Promise<void> => {
    summary.count(finding.kind, nameCount(finding.record, finding.table, finding.column), 1);
    await add(finding);
  };

  /** Takes what was found in the next segment. */
  const take = async (found: Inspected): Promise<void> => {
    summary.merge(found);
    for (const hash of found.announced) collisions.announce(hash);
    for (const candidate of found.candidates) collisions.add(candidate);
    for (const column of found.seen) unseen.delete(column);
    for (const name of found.names) if (names.size < NAMED) names.add(name);
    const reordered = found.first && findReordered(last, found.first, keys, codecFor(from));
    last = found.last ?? last;
    if (reordered) await addCounted(reordered);
    for (const finding of found.findings) {
      const given = add(finding);
      if (given) await given;
    }
    const { failure } = found;
    if (failure) throw new FormatError(failure.reason, failure.line, failure.column);
  };

  const readSegments = async (source: Source, filter?: SharedArrayBuffer): Promise<void> => {
    let unstated: UnstatedPlace | undefined;
    /** Notes where the encoding is left open, even if that is before the range. */
    const track = ({ bytes, offset, next, state }: Segment): void => {
      const found = format.findUnstatedEncoding?.(next);
      if (found?.line === unstated?.line) return;
      unstated = found && {
        ...found,
        offset: offset + indexOfLine(bytes, found.line - state.line),
      };
    };
    const index = options.range && options.index;
    const cut = index === undefined ? undefined : await findCut(source, index);
    unstated = cut?.unstated;
    const start = await countTo(source, format, range.from, track, cut?.start);
    const spare = new SpareMemory();
    const size = jobs === 1 || keepsAll ? DENSE_SEGMENT : SEGMENT;
    const cuts = segments(source, format, {
      from: start.offset,
      to: range.to,
      state: start.state,
      size: writer ? Math.min(size, cutDistance()) : size,
      allocate: jobs > 1 ? spare.take : undefined,
      // A clean record may have a key, or exceed a limit.
      isClean: keys.length + limits.length > 0 ? undefined : createScreen(repair, format).isClean,
    });
    const declared = await findDeclared(source);
    const task: InspectTask = {
      task: 'inspect',
      file: source.name,
      format: plan.format,
      repair,
      keys,
      limits,
      declared,
      unseen: [...unseen],
      kept: keepsAll ? Number.POSITIVE_INFINITY : max,
      filter,
    };
    const { flaws } = summary;
    const noted = writer && !filter ? writer.watch(source, cuts) : cuts;
    const lengths = withLengths(noted, track);
    for await (const [length, found] of runInOrder(lengths, task, createInspection, jobs, spare)) {
      await take(found as Inspected);
      done += length;
      await options.onProgress?.(done, total);
    }
    if (!unstated || summary.flaws === flaws || filter) return;
    const { charset = null, line, offset } = unstated;
    const place = { file: source.name, record: 0, line, column: 0, offset };
    await addCounted({ ...place, kind: 'unstated encoding', charset });
  };

  /** Finds where to begin to read for a range, and what leaves the encoding open before that. */
  const findCut = async (
    source: Source,
    path: string,
  ): Promise<{ start: RangeStart; unstated: UnstatedPlace | undefined }> => {
    const index = await openIndex(path, source, format, plan.format);
    const start = await index.findCut(range.from);
    const found = start.state && format.findUnstatedEncoding?.(start.state);
    const unstated = found && { ...found, offset: await index.findLine(found.line) };
    return { start, unstated };
  };

  /** Finds the keys that a file declares, before or after its rows, if it can be read more than once. */
  const findDeclared = async (source: Source): Promise<readonly DeclaredKey[]> => {
    if (!format.listKeys || !canRepeat) return [];
    const known = declaredKeys.get(source.name);
    if (known) return known;
    const again = await openInput(source.name);
    try {
      const { state } = await countTo(again, format, Number.POSITIVE_INFINITY);
      const keys = state ? format.listKeys(state) : [];
      declaredKeys.set(source.name, keys);
      return keys;
    } finally {
      await again.close();
    }
  };

  /** Reads a file. Returns why it could not be read, unless that ends the scan. */
  const readFile = async (file: string, filter?: SharedArrayBuffer) => {
    let source: Source | undefined;
    try {
      source = await openInput(file, { compressed: !options.range && options.index === undefined });
      await readSegments(source, filter);
      await source.verify();
      if (!filter) await writer?.finish(source, plan.format);
      return undefined;
    } catch (error) {
      const named = error instanceof FormatError ? error.in(file) : error;
      if (!(named instanceof InputError && onFailure)) throw named;
      await onFailure(file, named);
      return named;
    } finally {
      await source?.close();
    }
  };

  if (keys.length > 0) refuseKeys(keys, files);
  if (options.range && files.length > 1) throw new UsageError('a range needs a single input');
  if (options.range) requireRegular(files);
  if (options.index !== undefined) checkIndex(options.index, files);
  const { report: reportPath, index: indexPath } = options;
  const outputs = Object.entries({ report: reportPath, index: indexPath }).flatMap(
    ([name, path]) => (path === undefined ? [] : [{ flag: `--${name}`, path }]),
  );
  refuseSharedPaths({ inputs: files, outputs: [...outputs, { flag: 'stdout', path: '-' }] });
  try {
    if (reportPath !== undefined) report = await openClaimed({ output: reportPath });
    if (indexPath !== undefined && !options.range) writer = await IndexWriter.open(indexPath);
    const size = measure(files);
    total = size && (keys.length > 0 ? 2 : 1) * size;
    for (const file of files) {
      const { flaws, rejected } = summary;
      const failed = await readFile(file);
      const counts = { flaws: summary.flaws - flaws, rejected: summary.rejected - rejected };
      scanned.push({ file, ...counts, failed });
    }
    const [column] = unseen;
    if (column !== undefined && summary.records > 0 && !scanned.some(({ failed }) => failed)) {
      const flag = keys.includes(column) ? '--key' : '--limit';
      throw new UsageError(
        `${flag}: no record has a column ${JSON.stringify(column)}; the columns are ${[...names].join(', ')}`,
      );
    }
    if (collisions.filter) {
      for (const [i, each] of scanned.entries()) {
        if (each.failed) continue;
        scanned[i] = { ...each, failed: await readFile(each.file, collisions.filter.memory) };
      }
      const turns = new Turns();
      for (const finding of collisions.find()) {
        if (turns.isDue) await turns.take();
        await addCounted(finding);
      }
    }
    if (format.listReferences && canRepeat && summary.rejected > 0) {
      for (const { file, failed } of scanned) {
        if (failed) continue;
        const { orphans } = await findOrphans(file, plan.format, repair, jobs);
        for (const place of orphans) await addCounted({ file, ...place, kind: 'orphaned row' });
      }
    }
    await report?.outputs.write('output', Buffer.from(lines));
    await report?.outputs.finish();
    report?.commit();
    if (!scanned.some(({ failed }) => failed)) writer?.commit();
    return summary.createReport(scanned);
  } finally {
    report?.discard();
    writer?.discard();
    collisions.remove();
  }
}

/** Text of the report that is written at once, in UTF-16 code units. */
const BATCH = 1 << 16;

/**
 * Bytes in a segment for threads if all findings are kept, of which each byte may be one, and in this
 * thread, where signals wait for the end of a segment: statements about tables take 10 µs a byte (Node 20).
 */
const DENSE_SEGMENT = 1 << 16;

/** Tells whether a file can be read more than once. */
const isRegular = (file: string): boolean =>
  file !== STDIN && (statSync(toPath(file), { throwIfNoEntry: false })?.isFile() ?? false);

/** Refuses keys that are named twice, and files that cannot be read twice. */
function refuseKeys(keys: readonly string[], files: readonly string[]): void {
  const twice = keys.find((name, i) => keys.indexOf(name) !== i);
  if (twice !== undefined) throw new UsageError(`--key names ${twice} twice; name it once`);
  for (const file of files) {
    const stats = file === STDIN ? undefined : statSync(toPath(file), { throwIfNoEntry: false });
    // If it cannot be opened, that is for the reading to report.
    if (file !== STDIN && (!stats || stats.isFile() || stats.isDirectory())) continue;
    throw new UsageError(
      `--key requires regular files, since it reads them twice; save ${file === STDIN ? 'stdin' : file} to one first`,
    );
  }
}

/** Refuses an index of what has no ranges. */
function checkIndex(path: string, files: readonly string[]): void {
  if (path === '-') throw new UsageError('--index needs a file of its own; name one');
  if (files.length > 1) throw new UsageError('--index needs a single input');
  requireRegular(files, '--index');
}

async function* withLengths(cuts: AsyncIterable<Segment>, watch: (segment: Segment) => void) {
  for await (const segment of cuts) {
    watch(segment);
    yield [segment, segment.bytes.length] as [Segment, number];
  }
}

/** An encoding that is left open, and the offset of the line that does so. */
interface UnstatedPlace extends UnstatedEncoding {
  readonly offset: number;
}

/** Finds the line after so many others. */
function indexOfLine(bytes: Uint8Array, lines: number): number {
  let index = 0;
  for (let i = 0; i < lines; i++) index = bytes.indexOf(LF, index) + 1;
  return index;
}

/** Scans files: the first reading finds changes, and a second one finds keys that become equal. */

import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { formatBytes } from '@utf8/core';
import { codecFor } from '@utf8/detect';
import { toPath } from '@utf8/files';
import type { UnstatedEncoding } from '../charset/server.js';
import { type Claimed, openClaimed } from '../checkpoint/resumption.js';
import { SEGMENT, type Segment, segments, Turns } from '../cut/segments.js';
import { countTo, type RangeStart } from '../cut/start.js';
import { InputError, UsageError } from '../error.js';
import type { DeclaredKey } from '../format/format.js';
import { FormatError } from '../format/format-error.js';
import { listKeys } from '../format/sql/keys.js';
import { findUnstated } from '../format/sql/look.js';
import { openInput } from '../open/input.js';
import { measure, type Source, STDIN } from '../open/source.js';
import { findOrphans } from '../orphan/find-orphans.js';
import { refuseSharedPaths } from '../path/shared-paths.js';
import { notify, opt, type Phrase, phrase } from '../phrase.js';
import { createPlan } from '../plan.js';
import { runInOrder, SpareMemory } from '../pool/pool.js';
import {
  type ChosenFormat,
  canReopen,
  describeChoice,
  describeFormat,
  explain,
  openRecognized,
} from '../recognized.js';
import type { RecordRepairer } from '../repair/record-repairer.js';
import { encodeBom, startsWith } from '../rewrite/bom.js';
import { readInputs, requireRegular } from '../run-options.js';
import { IndexWriter, openIndex } from '../seek/index-writer.js';
import { cutDistance } from '../test-distance.js';
import { Collisions } from './collisions.js';
import { nameCount, parseLimit } from './column.js';
import type { Inspected } from './inspected.js';
import { createInspection, createScreen, type InspectTask, NAMED } from './inspection.js';
import { findReordered, type KeyedRecord } from './key.js';
import type { ScanFinding } from './scan-finding.js';
import type { ScanOptions } from './scan-options.js';
import {
  describeDeclared,
  indexOfLine,
  type ScannedFile,
  type ScanReport,
  ScanSummary,
} from './scan-report.js';

/** Does what {@link scanDump} says. */
export async function runScan(options: ScanOptions): Promise<ScanReport> {
  const { keys = [], report, index, onNotice } = options;
  const files = readInputs(options.input);
  // Errors in the options alone are reported before any file is opened.
  if (options.format !== undefined) createPlan(files.slice(0, 1), options);
  if (keys.length > 0) refuseKeys(keys, files);
  if (options.range && files.length > 1) throw new UsageError('a range needs a single input');
  if (options.range) requireRegular(files);
  if (index !== undefined) checkIndex(index, files);
  const outputs = Object.entries({ report, index }).flatMap(([name, path]) =>
    path === undefined ? [] : [{ option: name, path }],
  );
  refuseSharedPaths({ inputs: files, outputs: [...outputs, { label: 'stdout', path: '-' }] });
  const { chosen, opened } = await chooseFormat(files, options);
  try {
    if (chosen.isRecognized) {
      await notify(onNotice, describeChoice(files[0] as string, chosen, false));
    }
    return await scanAs(chosen, files, options, opened);
  } finally {
    await opened?.close();
  }
}

/** Finds the format of all inputs; one that cannot be opened again is returned as well. */
async function chooseFormat(
  files: readonly string[],
  { format, formatOptions = {}, onFailure, range, index }: ScanOptions,
): Promise<{ readonly chosen: ChosenFormat; readonly opened: Source | undefined }> {
  const named = { format: format ?? NO_FORMAT, formatOptions, isGuess: false, isRecognized: false };
  if (format !== undefined) return { chosen: named, opened: undefined };
  let first: { readonly file: string; readonly chosen: ChosenFormat } | undefined;
  let opened: Source | undefined;
  try {
    for (const file of files) {
      // A second pipe is examined when it is read.
      if (first && !canReopen(file)) continue;
      try {
        const request = { formatOptions, needsRecords: true };
        const compressed = !range && index === undefined;
        const { source, chosen } = await openRecognized(file, request, { compressed });
        if (canReopen(file)) await source.close();
        else opened = source;
        first ??= { file, chosen };
        if (isDeepStrictEqual(describeFormat(chosen), describeFormat(first.chosen))) continue;
        throw new UsageError(
          phrase`${first.file} would be read with ${describeFormat(first.chosen)}, and ${file} with ${describeFormat(chosen)}; scan them one by one, or specify a format for all`,
        );
      } catch (error) {
        // The reading will report it.
        if (!(error instanceof InputError && onFailure)) throw error;
      }
    }
  } catch (error) {
    await opened?.close();
    throw error;
  }
  return { chosen: first?.chosen ?? named, opened };
}

/** The format of files none of which can be read. */
const NO_FORMAT = 'lines';

/** Scans inputs in a format; one of them may be open. */
async function scanAs(
  chosen: ChosenFormat,
  files: readonly string[],
  options: ScanOptions,
  opened: Source | undefined,
): Promise<ScanReport> {
  const { keys = [], limits = [], max = 3, onFinding, onFailure } = options;
  // Only a conversion of records is limited to one input.
  const plan = createPlan(files.slice(0, 1), { ...options, ...chosen }, files);
  let waiting = opened;
  const { choice, format, from, range, jobs } = plan;
  const repairer = plan.repairer as RecordRepairer;
  const repair = repairer.policies;
  const keepsAll = options.report !== undefined || onFinding !== undefined;
  /** Columns of the options that no record has had so far, and some columns of records. */
  const unseen = new Set([...keys, ...limits.map((limit) => parseLimit(limit).column.text)]);
  const names = new Set<string>();
  const summary = new ScanSummary(max, plan);
  const collisions = new Collisions();
  const scanned: ScannedFile[] = [];
  const canRepeat = !options.range && files.every(isRegular);
  const declaredKeys = new Map<string, readonly DeclaredKey[]>();
  /** The last record with a key. */
  let last: KeyedRecord | undefined;
  let report: Claimed | undefined;
  /** An index of the whole file that is scanned. */
  let writer: IndexWriter | undefined;
  /** Lines to write to the report next. */
  let lines = '';
  let total: number | undefined;
  let done = 0;

  /** Passes a finding on. Returns a promise only if there is something to wait for. */
  const add = (finding: ScanFinding): unknown => {
    summary.show(finding);
    const received = onFinding?.(finding);
    if (!report) return received;
    lines += `${JSON.stringify({ type: 'finding', ...finding })}\n`;
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

  /** Adds the findings of the next segment. */
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
    if (failure) throw new FormatError(failure.parts, failure.line, failure.column);
  };

  const readSegments = async (source: Source, filter?: ArrayBufferLike): Promise<void> => {
    let unstated: UnstatedPlace | undefined;
    const mark = encodeBom(codecFor(from));
    let isMarked = false;
    let groups: Phrase | undefined;
    /** Notes where the encoding is left open, even if that is before the range. */
    const track = ({ bytes, offset, next, state }: Segment): void => {
      if (offset === 0 && range.from === 0) isMarked = startsWith(bytes, mark);
      groups ??= format.findGroups?.(next);
      const found = findUnstated(format, next);
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
      isClean: keys.length + limits.length > 0 ? undefined : createScreen(repairer),
    });
    const declared = await findDeclared(source);
    const task: InspectTask = {
      task: 'inspect',
      file: source.name,
      format: choice,
      repair,
      keys,
      limits,
      declared,
      unseen: [...unseen],
      kept: keepsAll ? Number.POSITIVE_INFINITY : max,
      filter,
    };
    const noted = writer && !filter ? writer.watch(source, cuts) : cuts;
    const lengths = withLengths(noted, track);
    const create = (task: InspectTask) => createInspection(task, repairer);
    for await (const [length, found] of runInOrder(lengths, task, create, jobs, spare)) {
      if (isMarked && !filter) {
        const place = { file: source.name, record: 0, line: 1, column: 0, offset: 0 };
        await addCounted({ ...place, kind: 'byte-order-mark', bytes: formatBytes(mark) });
      }
      isMarked = false;
      await take(found as Inspected);
      done += length;
      await options.onProgress?.(done, total);
    }
    if (groups && !filter) await notify(options.onNotice, phrase`${source.name}: ${groups}`);
    if (!unstated || !summary.isUnstated || filter) return;
    const { charset = null, line, offset } = unstated;
    const place = { file: source.name, record: 0, line, column: 0, offset };
    await addCounted({ ...place, kind: 'unstated-encoding', charset });
  };

  /** Finds where to begin to read for a range, and whether an earlier statement leaves the encoding open. */
  const findCut = async (
    source: Source,
    path: string,
  ): Promise<{ start: RangeStart; unstated: UnstatedPlace | undefined }> => {
    const index = await openIndex(path, source, format, choice);
    const start = await index.findCut(range.from);
    const found = start.state && findUnstated(format, start.state);
    const unstated = found && { ...found, offset: await index.findLine(found.line) };
    return { start, unstated };
  };

  /** Finds the keys that a file declares, before or after its rows, if it can be read more than once. */
  const findDeclared = async (source: Source): Promise<readonly DeclaredKey[]> => {
    if (!format.sql || !canRepeat) return [];
    const known = declaredKeys.get(source.name);
    if (known) return known;
    const again = await openInput(source.name);
    try {
      const { state } = await countTo(again, format, Number.POSITIVE_INFINITY);
      const keys = state ? listKeys(state) : [];
      declaredKeys.set(source.name, keys);
      return keys;
    } finally {
      await again.close();
    }
  };

  /** Reads a file. Returns why it could not be read, unless that ends the scan. */
  const readFile = async (file: string, filter?: ArrayBufferLike) => {
    let source: Source | undefined;
    try {
      const compressed = !options.range && options.index === undefined;
      if (waiting?.name === file) source = waiting;
      else {
        const request = { format: choice.name, needsRecords: true };
        ({ source } = await openRecognized(file, request, { compressed }));
      }
      waiting = undefined;
      await readSegments(source, filter);
      await source.verify();
      if (!filter) await writer?.finish(source, choice);
      return undefined;
    } catch (error) {
      const named = explain(error, file, chosen, false);
      if (!(named instanceof InputError && onFailure)) throw named;
      await onFailure(file, named);
      return named;
    } finally {
      await source?.close();
    }
  };

  const { report: reportPath, index: indexPath } = options;
  try {
    if (reportPath !== undefined) report = await openClaimed({ output: reportPath });
    if (indexPath !== undefined && !options.range) writer = await IndexWriter.open(indexPath);
    const size = measure(files);
    total = size && (keys.length > 0 ? 2 : 1) * size;
    for (const file of files) {
      const { flaws, rejected, outside, misdeclared } = summary;
      summary.open();
      const failed = await readFile(file);
      const counts = {
        flaws: summary.flaws - flaws,
        rejected: summary.rejected - rejected,
        outsideRecords: summary.outside - outside,
        misdeclared: summary.misdeclared - misdeclared,
      };
      const declared = describeDeclared(summary.declared, counts.flaws);
      scanned.push({ file, ...counts, hazards: summary.hazards, declared, failed });
    }
    const [column] = unseen;
    if (column !== undefined && summary.records > 0 && !scanned.some(({ failed }) => failed)) {
      const option = opt(keys.includes(column) ? 'keys' : 'limits');
      throw new UsageError(
        phrase`${option}: no record has a column ${JSON.stringify(column)}; the columns are ${[...names].join(', ')}`,
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
        // The options may name other keys, which a conversion does not compare.
        if (keys.length > 0 && !declaredKeys.get(finding.file)?.length) continue;
        const at = scanned.findIndex(({ file }) => file === finding.file);
        const known = scanned[at] as ScannedFile;
        if (known.hazards.includes('equal-keys')) continue;
        scanned[at] = { ...known, hazards: [...known.hazards, 'equal-keys'] };
      }
    }
    if (format.sql && canRepeat && summary.rejected > 0) {
      for (const { file, failed } of scanned) {
        if (failed) continue;
        const { orphans } = await findOrphans(file, choice, repair, jobs);
        for (const place of orphans) await addCounted({ file, ...place, kind: 'orphaned-row' });
      }
    }
    await report?.outputs.write('output', Buffer.from(lines));
    await report?.outputs.finish();
    report?.commit();
    if (!scanned.some(({ failed }) => failed)) writer?.commit();
    return summary.createReport(scanned, chosen);
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
  if (twice !== undefined)
    throw new UsageError(phrase`${opt('keys')} names ${twice} twice; remove one of them`);
  for (const file of files) {
    const stats = file === STDIN ? undefined : statSync(toPath(file), { throwIfNoEntry: false });
    // If it cannot be opened, that is for the reading to report.
    if (file !== STDIN && (!stats || stats.isFile() || stats.isDirectory())) continue;
    throw new UsageError(
      phrase`${opt('keys')} requires regular files, since it reads them twice; save ${file === STDIN ? 'stdin' : file} to one first`,
    );
  }
}

/** Refuses an index of a format without ranges. */
function checkIndex(path: string, files: readonly string[]): void {
  if (path === '-')
    throw new UsageError(phrase`${opt('index')} needs a file of its own; specify one`);
  if (files.length > 1) throw new UsageError(phrase`${opt('index')} needs a single input`);
  requireRegular(files, 'index');
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

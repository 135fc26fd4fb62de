/** Scans records as `utf8 scan` does, except that it does not look for rows which refer to rejected ones. */
import { formatBytes } from '@utf8/core';
import { codecFor, type Label } from '@utf8/detect';
import { describeError } from '../../../../packages/cli/src/option/flag.js';
import {
  formatNextCommands,
  spellFormat,
} from '../../../../packages/cli/src/words/next-command.js';
import { summarizeScan } from '../../../../packages/cli/src/words/scan-report.js';
import { findPolicy } from '../../../../packages/dump/src/charset/policy.js';
import { type SegmentOptions, segments } from '../../../../packages/dump/src/cut/segments.js';
import type { DeclaredKey, FormatOptions } from '../../../../packages/dump/src/format/format.js';
import { FormatError } from '../../../../packages/dump/src/format/format-error.js';
import { findFormat } from '../../../../packages/dump/src/format/registry.js';
import { listKeys } from '../../../../packages/dump/src/format/sql/keys.js';
import { findUnstated } from '../../../../packages/dump/src/format/sql/look.js';
import type { Source } from '../../../../packages/dump/src/open/source.js';
import { RecordRepairer } from '../../../../packages/dump/src/repair/record-repairer.js';
import { encodeBom, startsWith } from '../../../../packages/dump/src/rewrite/bom.js';
import { Collisions } from '../../../../packages/dump/src/scan/collisions.js';
import { nameCount } from '../../../../packages/dump/src/scan/column.js';
import {
  createInspection,
  type InspectTask,
} from '../../../../packages/dump/src/scan/inspection.js';
import type { ScanFinding } from '../../../../packages/dump/src/scan/scan-finding.js';
import {
  describeDeclared,
  indexOfLine,
  ScanSummary,
} from '../../../../packages/dump/src/scan/scan-report.js';

export { describeError };

/** Records to scan, and the policies. */
export interface ScanRequest {
  readonly name: string;
  /** Opens the input at its start, again and again. */
  readonly open: () => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  readonly format: string;
  readonly formatOptions: FormatOptions;
  readonly from: Label;
  readonly unpairedSurrogates: 'fail' | 'escape';
  readonly errors: 'fail' | 'windows-1252';
}

/** The output of the command. */
export interface Scanned {
  /** The lines of the summary. */
  readonly lines: readonly string[];
  /** The command that converts the whole file; undefined if it may refuse something, or would change nothing. */
  readonly next: string | undefined;
  /** The options of the command that name the format. */
  readonly dialect: readonly string[];
  /** True if nothing was found. */
  readonly isClean: boolean;
  /** True if a conversion refuses a record, or text outside of records. */
  readonly isRefused: boolean;
  /** True if text has a character in more bytes than it needs. */
  readonly hasOverlong: boolean;
  /** True if text was encoded twice. */
  readonly hasMojibake: boolean;
}

/** Number of examples of each kind. */
const MOST = 3;
/** Bytes of a segment. */
const SIZE = 1 << 20;

/**
 * Scans records.
 *
 * @param onProgress - Called with the number of bytes that are done.
 */
export async function scan(
  request: ScanRequest,
  onProgress: (done: number) => void,
): Promise<Scanned> {
  const { name, from, unpairedSurrogates, errors, formatOptions } = request;
  const format = findFormat(request.format, formatOptions);
  const policies = {
    from,
    to: 'utf-8',
    errors,
    nul: 'fail',
    unpairedSurrogates,
    mojibake: 'keep',
  } as const;
  const repairer = new RecordRepairer(format, policies);
  const summary = new ScanSummary(MOST, policies);
  // Nothing can be written to files here.
  const collisions = new Collisions(Number.POSITIVE_INFINITY);
  const mark = encodeBom(codecFor(from));
  let unstated: (NonNullable<ReturnType<typeof findUnstated>> & { offset: number }) | undefined;
  /** Adds a finding that no segment has counted. */
  const add = (finding: ScanFinding): void => {
    summary.count(finding.kind, nameCount(finding.record, finding.table, finding.column), 1);
    summary.show(finding);
  };
  const outOfRecords = { file: name, record: 0, column: 0 };
  const readSegments = async (options: SegmentOptions = {}) =>
    segments(sourceOf(name, await request.open()), format, { ...options, size: SIZE });
  let declared: readonly DeclaredKey[] = [];
  // Keys are often declared after the rows.
  if (format.sql) {
    for await (const { next } of await readSegments({ isClean: () => true })) {
      declared = listKeys(next);
    }
  }
  /** Inspects all segments: for their keys alone if there is a filter. */
  const inspectAll = async (filter?: ArrayBufferLike): Promise<void> => {
    const task: InspectTask = {
      task: 'inspect',
      file: name,
      format: { name: request.format, options: formatOptions },
      repair: policies,
      keys: [],
      limits: [],
      declared,
      unseen: [],
      kept: MOST,
      filter,
    };
    const inspect = createInspection(task, repairer);
    for await (const segment of await readSegments()) {
      const { bytes, offset, state, next } = segment;
      if (offset === 0 && !filter && startsWith(bytes, mark)) {
        add({
          ...outOfRecords,
          line: 1,
          offset: 0,
          kind: 'byte-order-mark',
          bytes: formatBytes(mark),
        });
      }
      const found = inspect(segment);
      const open = findUnstated(format, next);
      if (open?.line !== unstated?.line) {
        unstated = open && { ...open, offset: offset + indexOfLine(bytes, open.line - state.line) };
      }
      summary.merge(found);
      for (const hash of found.announced) collisions.announce(hash);
      for (const candidate of found.candidates) collisions.add(candidate);
      for (const finding of found.findings) summary.show(finding);
      const { failure } = found;
      if (failure) throw new FormatError(failure.parts, failure.line, failure.column).in(name);
      if (!filter) onProgress(offset + bytes.length);
    }
  };
  await inspectAll();
  if (unstated && summary.isUnstated) {
    const { charset = null, line, offset } = unstated;
    add({ ...outOfRecords, line, offset, kind: 'unstated-encoding', charset });
  }
  const hazards = new Set(summary.hazards);
  if (collisions.filter) {
    await inspectAll(collisions.filter.memory);
    for (const finding of collisions.find()) {
      hazards.add('equal-keys');
      add(finding);
    }
  }
  const { flaws, rejected, outside, misdeclared } = summary;
  const encoding = describeDeclared(summary.declared, flaws);
  const counts = { flaws, rejected, outsideRecords: outside, misdeclared, hazards: [...hazards] };
  const report = summary.createReport(
    [{ file: name, ...counts, declared: encoding, failed: undefined }],
    {
      format: request.format,
      formatOptions,
    },
  );
  const { from: label, to, nul } = policies;
  const spelled = { from: label, to, 'unpaired-surrogates': unpairedSurrogates, nul, errors };
  const dialect = spellFormat({}, report);
  const [next] = formatNextCommands(
    report,
    dialect,
    spelled,
    (charset) => findPolicy(charset) !== undefined,
  );
  const { findings } = report;
  return {
    lines: summarizeScan(report),
    // Rejected records are for the reader to decide about.
    next: rejected === 0 ? next : undefined,
    dialect,
    isClean: Object.keys(findings).length === 0,
    isRefused: rejected + outside > 0,
    hasOverlong: findings.overlong !== undefined,
    hasMojibake: findings.mojibake !== undefined,
  };
}

/** Reads a stream in order. */
function sourceOf(
  name: string,
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>,
): Pick<Source, 'name' | 'read' | 'size'> {
  const reader = bytes.getReader();
  let chunk = new Uint8Array(0);
  return {
    name,
    size: undefined,
    async read(into) {
      while (chunk.length === 0) {
        const { done, value } = await reader.read();
        if (done) return 0;
        chunk = value;
      }
      const some = chunk.subarray(0, into.length);
      into.set(some);
      chunk = chunk.subarray(some.length);
      return some.length;
    },
  };
}

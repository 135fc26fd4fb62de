/** Scans a dump as `utf8 scan` does, except for the second reading, which finds keys that become equal. */
import { formatBytes } from '@utf8/core';
import { codecFor, type Label } from '@utf8/detect';
import { describeError } from '../../../../packages/cli/src/option/flag.js';
import { formatNextCommands } from '../../../../packages/cli/src/words/next-command.js';
import { summarizeScan } from '../../../../packages/cli/src/words/scan-report.js';
import { findPolicy } from '../../../../packages/dump/src/charset/policy.js';
import { segments } from '../../../../packages/dump/src/cut/segments.js';
import { FormatError } from '../../../../packages/dump/src/format/format-error.js';
import { findFormat } from '../../../../packages/dump/src/format/registry.js';
import { findUnstated } from '../../../../packages/dump/src/format/sql/look.js';
import type { Source } from '../../../../packages/dump/src/open/source.js';
import { RecordRepairer } from '../../../../packages/dump/src/repair/record-repairer.js';
import { encodeBom, startsWith } from '../../../../packages/dump/src/rewrite/bom.js';
import { nameCount } from '../../../../packages/dump/src/scan/column.js';
import { createInspection } from '../../../../packages/dump/src/scan/inspection.js';
import {
  describeDeclared,
  indexOfLine,
  ScanSummary,
} from '../../../../packages/dump/src/scan/scan-report.js';

export { describeError };

/** A dump to scan, and the policies. */
export interface ScanRequest {
  readonly name: string;
  readonly bytes: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly format: string;
  readonly from: Label;
  readonly unpairedSurrogates: 'fail' | 'escape';
}

/** The output of the command. */
export interface Scanned {
  /** The lines of the summary. */
  readonly lines: readonly string[];
  /** The command that converts the whole file; undefined if it may refuse something, or would change nothing. */
  readonly next: string | undefined;
  /** True if nothing was found. */
  readonly isClean: boolean;
}

/** Number of examples of each kind. */
const MOST = 3;
/** Bytes of a segment. */
const SIZE = 1 << 20;

/**
 * Scans a dump.
 *
 * @param onProgress - Called with the number of bytes that are done.
 */
export async function scan(
  request: ScanRequest,
  onProgress: (done: number) => void,
): Promise<Scanned> {
  const { name, from, unpairedSurrogates } = request;
  const format = findFormat(request.format);
  const policies = {
    from,
    to: 'utf-8',
    errors: 'fail',
    nul: 'fail',
    unpairedSurrogates,
    mojibake: 'keep',
  } as const;
  const repairer = new RecordRepairer(format, policies);
  const summary = new ScanSummary(MOST, policies);
  const inspect = createInspection(
    {
      task: 'inspect',
      file: name,
      format: { name: request.format, options: {} },
      repair: policies,
      keys: [],
      limits: [],
      declared: [],
      unseen: [],
      kept: MOST,
    },
    repairer,
  );
  const mark = encodeBom(codecFor(from));
  let unstated: (NonNullable<ReturnType<typeof findUnstated>> & { offset: number }) | undefined;
  /** Adds a finding that no segment has counted. */
  const add = (finding: Outside): void => {
    summary.count(finding.kind, nameCount(0, undefined, 0), 1);
    summary.show({ file: name, record: 0, column: 0, ...finding });
  };
  for await (const segment of segments(sourceOf(request), format, { size: SIZE })) {
    const { bytes, offset, state, next } = segment;
    if (offset === 0 && startsWith(bytes, mark)) {
      add({ line: 1, offset: 0, kind: 'byte-order-mark', bytes: formatBytes(mark) });
    }
    const found = inspect(segment);
    const open = findUnstated(format, next);
    if (open?.line !== unstated?.line) {
      unstated = open && { ...open, offset: offset + indexOfLine(bytes, open.line - state.line) };
    }
    onProgress(offset + bytes.length);
    summary.merge(found);
    for (const finding of found.findings) summary.show(finding);
    const { failure } = found;
    if (failure) throw new FormatError(failure.parts, failure.line, failure.column).in(name);
  }
  if (unstated && summary.isUnstated) {
    const { charset = null, line, offset } = unstated;
    add({ line, offset, kind: 'unstated-encoding', charset });
  }
  const { flaws, rejected, outside, misdeclared } = summary;
  const declared = describeDeclared(summary.declared, flaws);
  const counts = { flaws, rejected, outsideRecords: outside, misdeclared };
  const report = summary.createReport([{ file: name, ...counts, declared, failed: undefined }], {
    format: request.format,
    formatOptions: {},
  });
  const { from: label, to, nul, errors } = policies;
  const spelled = { from: label, to, 'unpaired-surrogates': unpairedSurrogates, nul, errors };
  const [next] = formatNextCommands(
    report,
    ['--format', request.format],
    spelled,
    (charset) => findPolicy(charset) !== undefined,
  );
  const { findings } = report;
  // A new header repairs most narrow columns, and not those of NATIONAL CHAR.
  const isCertain = rejected === 0 && !findings['narrow-column'] && !findings['narrow-connection'];
  return {
    lines: summarizeScan(report),
    next: isCertain ? next : undefined,
    isClean: Object.keys(findings).length === 0,
  };
}

/** Reads a stream in order. */
function sourceOf({ name, bytes }: ScanRequest): Pick<Source, 'name' | 'read' | 'size'> {
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

type Outside = { line: number; offset: number } & (
  | { kind: 'byte-order-mark'; bytes: string }
  | { kind: 'unstated-encoding'; charset: string | null }
);

import { codecFor, labelFor } from '@utf8/detect';
import { createRepairer } from '@utf8/repair';
import type { TextOptions } from '../convert/plan.js';
import { countTo } from '../cut/start.js';
import { UsageError } from '../error.js';
import type { FormatOptions } from '../format/format.js';
import { findFormat } from '../format/registry.js';
import { openInput } from '../open/input.js';
import { measure, STDIN } from '../open/source.js';
import { refuseSharedPaths } from '../path/shared-paths.js';
import type { RepairChoice } from '../pool/work.js';
import type { RunOptions } from '../run-options.js';
import { type Output, openOutput } from '../sink/output.js';
import type { CellRules } from './cell-reader.js';
import { Classifier } from './classify.js';
import { Comparison } from './comparison.js';
import { Cursor, Packer } from './join.js';
import { createTableTest, matchRejects, pairTables, parseTable, type TablePair } from './match.js';
import { Side } from './side.js';
import type { VerifyFinding } from './verify-finding.js';
import { type VerifiedTable, type VerifyReport, VerifySummary } from './verify-report.js';

export type { VerifiedTable, VerifyReport };

/** A file of records. */
export interface VerifySide {
  /** Path of a file, which may be compressed with gzip or zstd; `-` is stdin. */
  readonly input: string;
  /** Name of the format of the records, such as `csv`. */
  readonly format: string;
  /** Options of the format by name, such as `{ delimiter: ';' }`. */
  readonly formatOptions?: FormatOptions | undefined;
  /**
   * Text that stands for NULL where it has no quotes, in `copy`, `csv`, `tsv` and `tab`. By default that
   * is nothing in CSV, as PostgreSQL writes it, and `\N` elsewhere and in CSV with an escape character, as
   * MySQL writes it.
   */
  readonly null?: string | undefined;
}

/** Options of {@link verifyDump}. `from`, `to` and the policies are those of the conversion. */
export interface VerifyOptions extends TextOptions, Pick<RunOptions, 'onProgress'> {
  /** What was converted, in `from`. */
  readonly source: VerifySide;
  /** What came of it, in `to`. */
  readonly target: VerifySide;
  /**
   * Columns that identify a record: `id`, `users.id` for that of one table, or a number from 1. Whole
   * records are compared in tables that have none of them.
   */
  readonly keys?: readonly string[] | undefined;
  /** Columns, named as in `keys`, that are not compared. */
  readonly ignored?: readonly string[] | undefined;
  /** Names of tables to compare: `users`, or `old=new` if the names differ; all by default. */
  readonly tables?: readonly string[] | undefined;
  /** Path of the rejected records of the conversion, in the format of the source. */
  readonly rejects?: string | undefined;
  /** Whether differences of class `spelling` count as explained. */
  readonly ignoreSpelling?: boolean | undefined;
  /** Path of a file for all findings as JSON Lines, which is replaced as a whole or not at all. */
  readonly report?: string | undefined;
  /** Number of examples of each class to return; 3 by default. */
  readonly max?: number | undefined;
  /** Receives every finding. Columns come first, and records in an order of their own. */
  readonly onFinding?: ((finding: VerifyFinding) => void | Promise<void>) | undefined;
}

/**
 * Compares the source of a migration with its target, by key, whatever the order of records and their
 * format: what is missing, what differs and why, what is equal.
 *
 * Both sides are copied to temporary files in `TMPDIR` and sorted there, so memory grows only with the
 * longest record (of up to 256 MiB), and disk space with both sides.
 *
 * @param options - Both sides, and the encodings and policies of the conversion.
 * @returns Numbers of records and findings, and some examples.
 * @throws UsageError (`ERR_UTF8_USAGE`) if options or paths make no sense, if no table has a column of
 *   `keys` or `ignored`, or if a table of one side fits several of the other.
 * @throws LabelError (`ERR_UTF8_LABEL`) if there is no such encoding.
 * @throws RepairOptionError (`ERR_UTF8_REPAIR_OPTION`) if the policies contradict each other.
 * @throws InputError (`ERR_UTF8_INPUT`) if an input cannot be read, or is not of its format.
 * @throws OutputError (`ERR_UTF8_OUTPUT`) if the report or a temporary file cannot be written.
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { verifyDump } from '@utf8/dump';
 *
 * const pair = Buffer.from([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]);
 * writeFileSync('old.csv', Buffer.concat([Buffer.from('id,name\n1,'), pair, Buffer.from('\n2,Ada\n')]));
 * writeFileSync('new.copy', '2\tAd\n1\t\u{1f600}\n');
 * const report = await verifyDump({
 *   source: { input: 'old.csv', format: 'csv' },
 *   target: { input: 'new.copy', format: 'copy', formatOptions: { columns: 'id,name' } },
 *   from: 'cesu-8+utf-8',
 *   keys: ['id'],
 * });
 * report.isProved; // => false
 * report.columns; // => { repair: { name: 1 }, truncation: { name: 1 } }
 * report.examples.truncation?.[0]?.key; // => { id: '2' }
 * ```
 */
export async function verifyDump(options: VerifyOptions): Promise<VerifyReport> {
  const {
    source,
    target,
    keys = [],
    ignored = [],
    max = 3,
    onFinding,
    onProgress,
    rejects,
  } = options;
  const twice = keys.find((name, i) => keys.indexOf(name) !== i);
  if (twice !== undefined) throw new UsageError(`--key names ${twice} twice; name it once`);
  const choice = chooseRepair(options);
  const tables = (options.tables ?? []).map(parseTable);
  const inputs = [source.input, target.input, ...(rejects === undefined ? [] : [rejects])];
  if (inputs.filter((input) => input === STDIN).length > 1) {
    throw new UsageError('stdin can be read only once; name - once');
  }
  const sourceRules = createRules(source, choice, true);
  const targetRules = createRules(target, choice, false);
  const reports = options.report === undefined ? [] : [{ flag: '--report', path: options.report }];
  refuseSharedPaths({ inputs, outputs: [...reports, { flag: 'stdout', path: '-' }] });
  const sides = {
    source: new Side(source.input, createTableTest(tables, 'source')),
    target: new Side(target.input, createTableTest(tables, 'target')),
    rejects: new Side(rejects ?? '', createTableTest(tables, 'source')),
  };
  const cursors = { source: new Cursor(), target: new Cursor(), rejects: new Cursor() };
  const summary = new VerifySummary(max);
  let report: Output | undefined;
  let lines = '';
  try {
    if (options.report !== undefined) report = await openOutput(options.report);
    const total = measure(inputs);
    let done = 0;
    const advance = (length: number): void => {
      done += length;
      onProgress?.(done, total);
    };
    const isClean = sourceRules.repairer?.isClean ?? (() => true);
    await sides.source.read(sourceRules, isClean, advance);
    await sides.target.read(targetRules, () => true, advance);
    if (rejects !== undefined) {
      // Rejected rows come without the CREATE of their table.
      const rules = createRules(await describeTables(source), choice, true);
      await sides.rejects.read(rules, isClean, advance);
    }
    const pairs = pairTables(sides.source, sides.target, tables, { keys, ignored });
    sortSides(sides, cursors, pairs);
    const classifier = new Classifier(choice, options.ignoreSpelling ?? false);
    const files = { source: source.input, target: target.input, rejects: rejects ?? '' };
    const comparison = new Comparison(cursors, files, pairs, classifier, choice);
    for (const finding of comparison.findAll()) {
      summary.add(finding);
      await onFinding?.(finding);
      if (!report) continue;
      lines += `${JSON.stringify(finding)}\n`;
      if (lines.length < BATCH) continue;
      await report.write(Buffer.from(lines));
      lines = '';
    }
    summary.equal = comparison.equal;
    summary.explained = comparison.explained;
    await report?.write(Buffer.from(lines));
    await report?.finish();
    report?.commit();
    return summary.createReport(pairs.map(describeTable));
  } finally {
    report?.discard();
    for (const each of [...Object.values(sides), ...Object.values(cursors)]) each.remove();
  }
}

/** Text of the report that is written at once, in UTF-16 code units. */
const BATCH = 1 << 16;

const chooseRepair = (options: TextOptions): RepairChoice => ({
  from: labelFor(options.from, { vendor: options.vendor }),
  to: labelFor(options.to ?? 'utf-8', { vendor: options.vendor }),
  errors: options.errors ?? 'strict',
  nul: options.nul ?? 'fail',
  unpairedSurrogates: options.unpairedSurrogates ?? 'fail',
  equalJsonKeys: options.equalJsonKeys ?? 'fail',
  mojibake: options.mojibake ?? 'keep',
});

function createRules(side: VerifySide, choice: RepairChoice, isSource: boolean): CellRules {
  const formatOptions = side.formatOptions ?? {};
  const format = findFormat(side.format, formatOptions);
  const to = codecFor(choice.to);
  return {
    format,
    formatOptions,
    null: side.null,
    repairer: isSource ? createRepairer({ ...choice, syntax: format }) : undefined,
    plainRepairer: isSource ? createRepairer(choice) : undefined,
    replacement: to.encode('\ufffd'),
    isValid: isSource ? undefined : to.isValid,
  };
}

/** Adds what the statements of a dump say about its tables, unless options do. */
async function describeTables(side: VerifySide): Promise<VerifySide> {
  const { formatOptions = {} } = side;
  const format = findFormat(side.format, formatOptions);
  if ((!format.describeTables || formatOptions.schema) ?? formatOptions.assume) return side;
  if (measure([side.input]) === undefined) return side;
  const input = await openInput(side.input);
  try {
    const { state } = await countTo(input, format, Number.POSITIVE_INFINITY);
    const schema = state && format.describeTables(state);
    return schema ? { ...side, formatOptions: { ...formatOptions, schema } } : side;
  } finally {
    await input.close();
  }
}

type SideName = 'source' | 'target' | 'rejects';

/** Sorts the records of all sides by their keys. */
function sortSides(
  sides: Readonly<Record<SideName, Side>>,
  cursors: Readonly<Record<SideName, Cursor>>,
  pairs: readonly TablePair[],
): void {
  for (const side of ['source', 'target'] as const) {
    const packer = new Packer(pairs, side);
    const indices = new Map(pairs.map((pair, i) => [pair[side], i]));
    for (const record of sides[side].list()) {
      const pair = indices.get(record.table) as number;
      const { bySource, byTarget } = pairs[pair] as TablePair;
      const columns = side === 'source' ? bySource : byTarget;
      cursors[side].add(packer.pack(record, pair, columns));
    }
  }
  const packer = new Packer(pairs, 'source');
  const { file } = sides.rejects;
  const found = new Map(
    sides.rejects.tables.map((table) => [table, matchRejects(table, pairs, file)]),
  );
  for (const record of sides.rejects.list()) {
    const { pair, indices } = found.get(record.table) as ReturnType<typeof matchRejects>;
    cursors.rejects.add(packer.pack(record, pair, indices));
  }
}

const describeTable = ({ source, target, key }: TablePair): VerifiedTable => ({
  source: source?.name ?? null,
  target: target?.name ?? null,
  key: key.map(({ text }) => text),
  sourceRecords: source?.records ?? 0,
  targetRecords: target?.records ?? 0,
});

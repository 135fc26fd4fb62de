/** Compares two files of records. */

import { codecFor, labelFor } from '@utf8/detect';
import { stopAt } from '@utf8/files';
import { createRepairer, resolveErrors } from '@utf8/repair';
import { type Claimed, openClaimed } from '../checkpoint/resumption.js';
import { Turns } from '../cut/segments.js';
import { countTo } from '../cut/start.js';
import { UsageError } from '../error.js';
import { findFormat, resolveOptions } from '../format/registry.js';
import { describeTables } from '../format/sql/keys.js';
import { openInput } from '../open/input.js';
import { measure, STDIN } from '../open/source.js';
import { refuseSharedPaths } from '../path/shared-paths.js';
import { opt, phrase } from '../phrase.js';
import type { TextOptions } from '../plan.js';
import type { RepairChoice } from '../pool/work.js';
import { canReopen, recognizeFile } from '../recognized.js';
import { RecordRepairer } from '../repair/record-repairer.js';
import type { CellRules } from './cell-reader.js';
import { Classifier, type ShownTest } from './classify.js';
import { Comparison } from './comparison.js';
import { type EqualRecords, passEqual } from './equal-records.js';
import { FindingFile } from './finding-file.js';
import { Cursor, Packer } from './join.js';
import { createTableTest, matchRejects, pairTables, parseTable, type TablePair } from './match.js';
import { RecordStream } from './record-stream.js';
import { Side } from './side.js';
import type { VerifyFinding } from './verify-finding.js';
import type { VerifyOptions, VerifySide } from './verify-options.js';
import { type VerifiedTable, type VerifyReport, VerifySummary } from './verify-report.js';

/** Does what {@link verifyDump} says. */
export async function runVerification(options: VerifyOptions): Promise<VerifyReport> {
  const { keys = [], ignored = [], max = 3, onFinding, onProgress, rejects } = options;
  const twice = keys.find((name, i) => keys.indexOf(name) !== i);
  if (twice !== undefined)
    throw new UsageError(phrase`${opt('keys')} names ${twice} twice; specify it once`);
  const choice = chooseRepair(options);
  const tables = (options.tables ?? []).map(parseTable);
  const inputs = [
    options.source.input,
    options.target.input,
    ...(rejects === undefined ? [] : [rejects]),
  ];
  if (inputs.filter((input) => input === STDIN).length > 1) {
    throw new UsageError('stdin can be read only once; specify - once');
  }
  const source = await nameFormat(options.source);
  const target = await nameFormat(options.target);
  const sourceRules = createRules(source, choice, true);
  const targetRules = createRules(target, choice, false);
  const reports = options.report === undefined ? [] : [{ option: 'report', path: options.report }];
  refuseSharedPaths({ inputs, outputs: [...reports, { label: 'stdout', path: '-' }] });
  const createSides = () => ({
    source: new Side(source.input, createTableTest(tables, 'source')),
    target: new Side(target.input, createTableTest(tables, 'target')),
    rejects: new Side(rejects ?? '', createTableTest(tables, 'source')),
  });
  let sides = createSides();
  const cursors = { source: new Cursor(), target: new Cursor(), rejects: new Cursor() };
  let summary = new VerifySummary(max);
  const isEachShown = options.report !== undefined || onFinding !== undefined;
  const isShown: ShownTest = (name, isExplained) => isEachShown || summary.shows(name, isExplained);
  const classifier = new Classifier(choice, options.ignoreSpelling ?? false);
  // Findings among records that are left out wait until it is known that these may be.
  const early = new FindingFile();
  let report: Claimed | undefined;
  let lines = '';
  try {
    if (options.report !== undefined) report = await openClaimed({ output: options.report });
    const tell = async (finding: VerifyFinding): Promise<void> => {
      await onFinding?.(finding);
      if (!report) return;
      lines += `${JSON.stringify({ type: 'finding', ...finding })}\n`;
      if (lines.length < BATCH) return;
      await report.outputs.write('output', Buffer.from(lines));
      lines = '';
    };
    const total = measure(inputs);
    let done = 0;
    const advance = (length: number): unknown => {
      done += length;
      return onProgress?.(done, total);
    };
    const isClean = sourceRules.repairer?.isClean ?? (() => true);
    const open = (side: Side, rules: CellRules): RecordStream<Side> =>
      new RecordStream(side, rules, rules.repairer ? isClean : () => true, advance);
    const pair = (): TablePair[] =>
      pairTables(sides.source, sides.target, tables, { keys, ignored });
    const canRepeat = [source, target].every(({ input }) => canReopen(input));
    let equal: EqualRecords | undefined;
    let pairs: readonly TablePair[] = [];
    if (canRepeat && rejects === undefined) {
      try {
        const rules = [sourceRules, targetRules] as const;
        equal = await passEqual([sides.source, sides.target], keys, rules, open, {
          ...{ classifier, ignored, isShown, to: codecFor(choice.to) },
          add(finding) {
            summary.add(finding);
            if (isEachShown) early.add(finding);
          },
        });
        pairs = equal ? pair() : [];
      } catch {
        // An error of the source comes first, which only a reading of all of it finds.
        equal = undefined;
      }
    }
    if (!equal?.fits(pairs)) {
      equal = undefined;
      done = 0;
      summary = new VerifySummary(max);
      early.remove();
      for (const side of Object.values(sides)) side.remove();
      sides = createSides();
      await sides.source.read(open(sides.source, sourceRules));
      await sides.target.read(open(sides.target, targetRules));
      if (rejects !== undefined) {
        // Rejected rows come without the CREATE of their table.
        const rules = createRules(await addSchema(source), choice, true);
        await sides.rejects.read(open(sides.rejects, rules));
      }
      pairs = pair();
    }
    await sortSides(sides, cursors, pairs);
    const files = { source: source.input, target: target.input, rejects: rejects ?? '' };
    const comparison = new Comparison(cursors, files, pairs, classifier, choice, isShown);
    const turns = new Turns();
    for (const finding of early.list()) {
      if (turns.isDue) await turns.take();
      await tell(finding);
    }
    for (const finding of comparison.findAll()) {
      if (turns.isDue) await turns.take();
      if (!finding) continue;
      summary.add(finding);
      await tell(finding);
    }
    summary.equal = comparison.equal + (equal?.equal ?? 0);
    summary.explained = comparison.explained + (equal?.explained ?? 0);
    await report?.outputs.write('output', Buffer.from(lines));
    await report?.outputs.finish();
    report?.commit();
    return summary.createReport(pairs.map(describeTable));
  } finally {
    report?.discard();
    for (const each of [early, ...Object.values(sides), ...Object.values(cursors)]) each.remove();
  }
}

/** Text of the report that is written at once, in UTF-16 code units. */
const BATCH = 1 << 16;

const chooseRepair = (options: TextOptions): RepairChoice => ({
  from: labelFor(options.from, { vendor: options.vendor }),
  to: labelFor(options.to ?? 'utf-8', { vendor: options.vendor }),
  errors: resolveErrors(options.errors ?? 'fail'),
  nul: options.nul ?? 'fail',
  unpairedSurrogates: options.unpairedSurrogates ?? 'fail',
  equalJsonKeys: options.equalJsonKeys ?? 'fail',
  noncharacters: options.noncharacters ?? 'keep',
  controls: options.controls ?? 'fail',
  mojibake: options.mojibake ?? 'keep',
  innerLengths: options.innerLengths ?? 'repair',
});

/** A side whose format is known. */
type NamedSide = VerifySide & { readonly format: string };

/** Finds the format of a side that names none. */
async function nameFormat(side: VerifySide): Promise<NamedSide> {
  const { input, format, formatOptions } = side;
  if (format !== undefined) return { ...side, format };
  const found = await recognizeFile(input);
  return { ...side, ...found, formatOptions: { ...found.formatOptions, ...formatOptions } };
}

function createRules(side: NamedSide, choice: RepairChoice, isSource: boolean): CellRules {
  const formatOptions = resolveOptions(side.format, side.formatOptions, [side.input]);
  const format = findFormat(side.format, formatOptions);
  const to = codecFor(choice.to);
  return {
    format,
    formatOptions,
    null: side.null,
    repairer: isSource ? new RecordRepairer(format, choice) : undefined,
    plainRepairer: isSource ? createRepairer(choice) : undefined,
    replacement: to.encode('\ufffd'),
    isValid: isSource ? undefined : to.isValid,
  };
}

/** Adds what the statements of a dump say about its tables, unless options do. */
async function addSchema(side: NamedSide): Promise<NamedSide> {
  const { formatOptions = {} } = side;
  const format = findFormat(side.format, formatOptions);
  const { sql } = format;
  if (!sql || formatOptions.schema || sql.options.assume) return side;
  if (measure([side.input]) === undefined) return side;
  const input = await openInput(side.input);
  try {
    const { state } = await countTo(input, format, Number.POSITIVE_INFINITY);
    const schema = state && describeTables(state);
    return schema ? { ...side, formatOptions: { ...formatOptions, schema } } : side;
  } finally {
    await input.close();
  }
}

type SideName = 'source' | 'target' | 'rejects';

/** Sorts the records of all sides by their keys. */
async function sortSides(
  sides: Readonly<Record<SideName, Side>>,
  cursors: Readonly<Record<SideName, Cursor>>,
  pairs: readonly TablePair[],
): Promise<void> {
  const turns = new Turns();
  for (const side of ['source', 'target'] as const) {
    const packer = new Packer(pairs, side);
    const indices = new Map(pairs.map((pair, i) => [pair[side], i]));
    for (const record of sides[side].list()) {
      const pair = indices.get(record.table) as number;
      const { bySource, byTarget } = pairs[pair] as TablePair;
      const columns = side === 'source' ? bySource : byTarget;
      cursors[side].add(packer.pack(record, pair, columns));
      stopAt('sorted');
      if (turns.isDue) await turns.take();
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
    if (turns.isDue) await turns.take();
  }
}

const describeTable = ({ source, target, key }: TablePair): VerifiedTable => ({
  source: source?.name ?? null,
  target: target?.name ?? null,
  key: key.map(({ text }) => text),
  sourceRecords: source?.records ?? 0,
  targetRecords: target?.records ?? 0,
});

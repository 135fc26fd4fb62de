/** What a repair in a database found and did, in words. */
import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import type {
  ColumnReport,
  FindingExample,
  HazardActions,
  HazardReport,
  LookReport,
  Refusal,
  RepairReport,
  TableReport,
  UndoReport,
} from '@utf8/database';
import { escapeText } from '../terminal/escape.js';
import { padText } from '../terminal/wrap.js';
import { count, listCounts } from './count.js';
import { adviseHazard } from './database-hazard.js';

/** The widest that a column of the table gets. */
const WIDEST = 40;

/** Such as `SQLite 3.50.4, sqlite:app.db: cesu-8+utf-8 to utf-8`. */
export const summarizeProduct = ({ product, database, from, to }: RepairReport): string =>
  `${product}, ${database}: ${from} to ${to}`;

/** The lines of what was found. */
export function summarizeLook(look: LookReport, on: Partial<HazardActions>): string[] {
  const { rows, candidates, skipped, tables, notes } = look;
  const fates = `${candidates - skipped} would change, ${skipped} would be skipped`;
  const total = `${count(rows, 'row')} in ${count(tables.length, 'table')}`;
  const lines = [`${total}: ${candidates > 0 ? fates : 'nothing found'}`];
  if (candidates > 0) lines.push('', ...formatTable(tables));
  for (const table of tables) {
    for (const column of table.columns) lines.push(...describeColumn(table, column));
    for (const hazard of table.hazards) lines.push('', ...describeHazard(table, hazard, on));
  }
  if (notes.length > 0) lines.push('', ...notes.map((note) => `note: ${note}`));
  return lines;
}

/** A row for each column with findings. */
function formatTable(tables: readonly TableReport[]): string[] {
  const head = ['table', 'rows', 'column', 'type', 'changed', 'refused', 'findings'];
  const body = tables.flatMap(({ table, rows, columns }) =>
    columns.map(({ column, type, changed, refused, findings }) =>
      [table, `${rows}`, column, type, `${changed}`, `${refused}`, listCounts(findings)].map(
        escapeText,
      ),
    ),
  );
  const cells = [head, ...body];
  const widths = head.map((_, i) =>
    Math.min(WIDEST, Math.max(...cells.map((row) => row[i]?.length ?? 0))),
  );
  return cells.map((row) =>
    row
      .map((cell, i) => padText(cell, widths[i] as number))
      .join('  ')
      .trimEnd(),
  );
}

/** The examples of a column, as `utf8 explain` spells bytes. */
function describeColumn(
  { table }: TableReport,
  { column, findings, examples }: ColumnReport,
): string[] {
  const lines: string[] = [];
  for (const [kind, total = 0] of Object.entries(findings)) {
    const shown: readonly FindingExample[] = examples[kind as keyof typeof examples] ?? [];
    lines.push('', `${kind} ${total}: ${table}.${column}`);
    for (const { key, offset, bytes, becomes, before, after } of shown) {
      lines.push(`  ${describeRow(key)}, offset ${offset}: ${describeFate(bytes, becomes)}`);
      lines.push(`    before  ${before}`);
      if (becomes !== null) lines.push(`    after   ${after}  ${showText(after)}`);
    }
    if (total > shown.length) lines.push(`  and ${total - shown.length} more`);
  }
  return lines;
}

function describeFate(bytes: string, becomes: string | null): string {
  if (becomes === null) return `${bytes} is refused`;
  return becomes === '' ? `${bytes} is removed` : `${bytes} becomes ${becomes}`;
}

/** Text from hex, without the parts of characters at its ends that were cut off. */
function showText(hex: string): string {
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return JSON.stringify(new TextDecoder().decode(bytes.subarray(start), { stream: true }));
}

/** Such as `id 12, name "a"`. */
const describeRow = (key: Refusal['key']): string =>
  Object.entries(key)
    .map(([name, value]) => `${name} ${showKey(value)}`)
    .join(', ');

function showKey(value: Refusal['key'][string]): string {
  if (typeof value !== 'object') return `${value}`;
  const bytes = Buffer.from(value.hex, 'hex');
  return value.is === 'text' && isUtf8(bytes) ? JSON.stringify(`${bytes}`) : `0x${value.hex}`;
}

function describeHazard(
  { table }: TableReport,
  { hazard, name, column, action, rows, examples }: HazardReport,
  on: Partial<HazardActions>,
): string[] {
  const place = column === null ? table : `${table}.${column}`;
  const what = name === '' || name === table ? hazard : `${hazard} (${name})`;
  const fate =
    action === 'skip' ? `skipped; ${adviseHazard(hazard, name, on)}` : `--on says ${action}`;
  const lines = [`hazard in ${place}: ${what}: ${count(rows, 'row')}, ${fate}`];
  for (const { key, before, after } of examples) {
    lines.push(`  ${describeRow(key)}`, `    before  ${before}`);
    if (after !== before) lines.push(`    after   ${after}`);
  }
  if (rows > examples.length) lines.push(`  and ${rows - examples.length} more`);
  return lines;
}

/** The lines after a repair. */
export function summarizeRepair(report: RepairReport, on: Partial<HazardActions>): string[] {
  const { found, stopped, repaired, refusals, statements, left, problems } = report;
  const lines = [summarizeProduct(report)];
  for (const statement of statements) lines.push(`altered: ${statement}`);
  if (repaired) {
    const { rows, values, moved, suffixed, overtaken, skipped } = repaired;
    const more = [
      moved > 0 && `${count(moved, 'row')} moved with their parents`,
      suffixed > 0 && `${count(suffixed, 'row')} got a suffix`,
      overtaken > 0 && `${count(overtaken, 'time')} another writer was first`,
    ].filter((part) => part !== false);
    lines.push(
      `repaired: ${[`${count(values, 'value')} in ${count(rows, 'row')}`, ...more].join('; ')}`,
    );
    const passed = listCounts(skipped as Record<string, number>);
    if (passed) lines.push(`skipped: ${passed}`);
  }
  for (const refusal of refusals) lines.push(`  ${describeRefusal(refusal)}`);
  if (stopped) {
    const when = repaired ? 'the run can be resumed' : 'nothing was written';
    lines.push(`stopped at ${describeRefusal(stopped)}; ${when}`);
  }
  if (left) {
    lines.push(left.candidates === 0 ? 'left: nothing' : `left: ${count(left.candidates, 'row')}`);
    // Those of a run that was resumed were shown before it was interrupted.
    if (left.candidates > 0)
      lines.push('', ...(found ? formatTable(left.tables) : summarizeLook(left, on)));
  }
  return [...lines, ...listProblems(problems)];
}

/** The lines after an undo. */
export function summarizeUndo(report: UndoReport): string[] {
  const { product, database, restored, kept, refused, refusals, problems } = report;
  const lines = [`${product}, ${database}`, `restored: ${count(restored, 'value')}`];
  if (kept > 0) lines.push(`kept: ${count(kept, 'value')} that changed since`);
  if (refused > 0) lines.push(`refused: ${count(refused, 'value')}`);
  for (const refusal of refusals) lines.push(`  ${describeRefusal(refusal)}`);
  return [...lines, ...listProblems(problems)];
}

const describeRefusal = ({ table, key, hazard, name }: Refusal): string =>
  `${table}, ${describeRow(key)}: ${hazard}${name ? ` (${name})` : ''}`;

const listProblems = (problems: readonly string[]): string[] =>
  problems.map((problem) => `the server's check of integrity: ${problem}`);

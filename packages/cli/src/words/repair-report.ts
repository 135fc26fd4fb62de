/** Summary of a repair in a database, in words. */
import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import type {
  ColumnReport,
  DeclarationReport,
  FindingExample,
  HazardReport,
  LookReport,
  Refusal,
  RepairReport,
  RevertReport,
  SuggestionReport,
  TableReport,
} from '@utf8/database';
import type { AllowedHazard } from '@utf8/dump/internal';
import { escapeText } from '../terminal/escape.js';
import { padText } from '../terminal/wrap.js';
import { count, listCounts } from './count.js';
import { adviseHazard } from './database-hazard.js';

/** The widest that a column of the table gets. */
const WIDEST = 40;

/** Such as `SQLite 3.50.4, sqlite:app.db: cesu-8+utf-8 to utf-8`. */
export const summarizeProduct = ({ product, database, from, to }: RepairReport): string =>
  `${product}, ${database}: ${from} to ${to}`;

/** Formats the findings of a scan. */
export function summarizeLook(look: LookReport, allow: readonly AllowedHazard[]): string[] {
  const { rows, candidates, skipped, tables, notes } = look;
  const fates = `${candidates - skipped} would change, ${skipped} would be skipped`;
  const total = `${count(rows, 'row')} in ${count(tables.length, 'table')}`;
  const columns = tables.reduce((sum, { declarations }) => sum + declarations.length, 0);
  const other =
    columns > 0 ? `${count(columns, 'column')} of UTF-8 declared otherwise` : 'nothing found';
  const lines = [`${total}: ${candidates > 0 ? fates : other}`];
  if (candidates > 0) lines.push('', ...formatTable(tables));
  for (const table of tables) {
    for (const column of table.columns) lines.push(...describeColumn(table, column));
    for (const hazard of table.hazards) lines.push('', ...describeHazard(table, hazard, allow));
    for (const declaration of table.declarations) {
      lines.push('', ...describeDeclaration(table, declaration));
    }
    for (const suggestion of table.suggestions)
      lines.push('', ...describeSuggestion(table, suggestion));
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

/** Tells whether columns remain that are declared in another character set than their text is in. */
export const hasMisdeclared = ({ tables }: LookReport): boolean =>
  tables.some(({ declarations }) => declarations.length > 0);

function describeDeclaration(
  { table }: TableReport,
  { column, charset, utf8, others, declaration, refusal, action, examples }: DeclarationReport,
): string[] {
  const counts = others === 0 ? '' : `, and ${count(others, 'value')} in ${charset}`;
  const fate =
    refusal !== undefined
      ? `skipped; ${refusal}`
      : action === 'skip'
        ? `skipped; --mojibake repair --allow narrow-column declares it as ${declaration.new}${others === 0 ? '' : ', and converts the others'}`
        : describeAction(action);
  const lines = [
    `hazard in ${table}.${column}: ${count(utf8, 'value')} in UTF-8${counts}, declared as ${declaration.old}: ${fate}`,
  ];
  for (const { key, bytes } of examples.utf8) {
    lines.push(`  ${describeRow(key)}: UTF-8`, `    before  ${bytes}  ${showText(bytes)}`);
  }
  for (const { key, bytes } of examples.others) {
    lines.push(`  ${describeRow(key)}: ${charset}`, `    before  ${bytes}`);
  }
  return lines;
}

/** The columns that a look takes for JSON, for `--json-columns`. */
export const nameSuggested = ({ tables }: LookReport): string[] =>
  tables.flatMap(({ table, suggestions }) => suggestions.map(({ column }) => `${table}.${column}`));

function describeSuggestion(
  { table }: TableReport,
  { kind, column, values, examples }: SuggestionReport,
): string[] {
  const place = `${table}.${column}`;
  const lines = [
    `${kind} ${values}: ${place}; jsonb refuses it; if the column is JSON, add --json-columns ${place}`,
  ];
  for (const { key, offset, bytes, before } of examples) {
    lines.push(`  ${describeRow(key)}, offset ${offset}: ${bytes}  ${showText(bytes)}`);
    lines.push(`    before  ${before}`);
  }
  if (values > examples.length) lines.push(`  and ${values - examples.length} more`);
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
  allow: readonly AllowedHazard[],
): string[] {
  const place = column === null ? table : `${table}.${column}`;
  const what = name === '' || name === table ? hazard : `${hazard} (${name})`;
  const fate =
    action === 'skip' ? describeSkip(adviseHazard(hazard, name, allow)) : describeAction(action);
  const lines = [`hazard in ${place}: ${what}: ${count(rows, 'row')} ${fate}`];
  for (const { key, before, after } of examples) {
    lines.push(`  ${describeRow(key)}`, `    before  ${before}`);
    if (after !== before) lines.push(`    after   ${after}`);
  }
  if (rows > examples.length) lines.push(`  and ${rows - examples.length} more`);
  return lines;
}

const describeSkip = (advice: string): string => `skipped${advice && `; ${advice}`}`;

const describeAction = (action: 'allow' | 'stop'): string =>
  action === 'allow' ? 'allowed' : 'ends the run';

/** The lines after a repair. */
export function summarizeRepair(report: RepairReport, allow: readonly AllowedHazard[]): string[] {
  const { found, stopped, repaired, refusals, statements, left, problems } = report;
  const lines = [summarizeProduct(report)];
  for (const statement of statements) lines.push(`altered: ${statement}`);
  if (repaired) {
    const { rows, values, moved, suffixed, overtaken, declared, skipped } = repaired;
    const more = [
      moved > 0 && `${count(moved, 'row')} moved with their parents`,
      suffixed > 0 && `${count(suffixed, 'row')} got a suffix`,
      declared > 0 && `${count(declared, 'column')} declared as utf8mb4`,
      overtaken > 0 && `${count(overtaken, 'row')} changed by another program`,
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
      lines.push('', ...(found ? formatTable(left.tables) : summarizeLook(left, allow)));
  }
  return [...lines, ...listProblems(problems)];
}

/** The lines after a revert. */
export function summarizeRevert(report: RevertReport): string[] {
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
  problems.map((problem) => `integrity check: ${problem}`);

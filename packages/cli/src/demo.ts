/**
 * What `npm start` shows: the command at its main job, on the sample that ships with it. Everything is
 * done by the real command; this only runs it, and looks at the files before and after.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as mixed from '@utf8/cesu8/mixed';
import { type Codec, formatBytes, formatCodePoint } from '@utf8/core';
import * as strict from '@utf8/strict';
import { count } from './tally.js';

const at = (path: string): string =>
  relative(process.cwd(), fileURLToPath(new URL(path, import.meta.url)));
const command = at('./utf8.js');
const sample = at('../sample/customers.csv');
// Neither git nor npm looks into this folder.
const result = at('../node_modules/.cache/demo/customers.utf-8.csv');

/** A row written by the web application with Hangul, one by the batch, one with private use. */
const SHOWN = ['1002', '1003', '1008'];

/** The most findings to show. */
const FEW = 6;

const LF = 0x0a;
const QUOTE = 0x22;

/** A row of a CSV file. */
interface Row {
  readonly bytes: Uint8Array;
  /** Where it begins in the file, in bytes. */
  readonly offset: number;
}

/** Cuts a CSV file into rows: at the line feeds that are not in quotes. */
function splitRows(file: Uint8Array): Row[] {
  const rows: Row[] = [];
  let offset = 0;
  let isQuoted = false;
  for (let i = 0; i < file.length; i++) {
    if (file[i] === QUOTE) isQuoted = !isQuoted;
    if (file[i] !== LF || isQuoted) continue;
    rows.push({ bytes: file.subarray(offset, i), offset });
    offset = i + 1;
  }
  return rows;
}

/** A command line that can be copied, a part a line where it is long. */
function run(...args: string[][]): { status: number | null; stdout: string; stderr: string } {
  const lines = [['node', command, args[0]?.[0] ?? ''], ...args.slice(1)];
  console.log(`$ ${lines.map((words) => words.join(' ')).join(' \\\n    ')}`);
  return spawnSync(process.execPath, [command, ...args.flat()], { encoding: 'utf8' });
}

function expect(
  what: string,
  { status, stderr }: { status: number | null; stderr: string },
  wanted: number,
): void {
  if (status === wanted) return;
  console.error(`${what} ended with ${status} and not with ${wanted}:\n${stderr}`);
  process.exit(1);
}

/** The characters of some bytes, each as bytes. */
function splitCharacters(codec: Pick<Codec, 'ceilBoundary'>, bytes: Uint8Array): Uint8Array[] {
  const characters: Uint8Array[] = [];
  for (let i = 0; i < bytes.length; ) {
    const end = codec.ceilBoundary(bytes, i + 1);
    characters.push(bytes.subarray(i, end));
    i = end;
  }
  return characters;
}

/** The characters of a row that are not ASCII, one a line: where, which bytes, what, and what became of it. */
function annotate(before: Row, after: Row): string[] {
  const now = splitCharacters(strict, after.bytes);
  let offset = before.offset;
  return splitCharacters(mixed, before.bytes).flatMap((bytes, i) => {
    const from = offset;
    offset += bytes.length;
    if (bytes.length === 1) return [];
    const [codePoint = 0] = mixed.decodeCodePoints(bytes);
    const columns = [
      String(from).padStart(6),
      formatBytes(bytes).padEnd(17),
      formatCodePoint(codePoint).padEnd(8),
      show(String.fromCodePoint(codePoint)),
      describe(bytes, now[i] as Uint8Array),
    ];
    return [columns.join('  ')];
  });
}

/** A character in two columns; nothing for one that has no shape of its own. */
function show(character: string): string {
  if (/[\p{Mark}\p{Private_Use}\p{Format}]/u.test(character)) return '  ';
  const isWide = /[\p{Script=Han}\p{Script=Hangul}\p{Emoji_Presentation}]/u.test(character);
  return isWide ? character : `${character} `;
}

function describe(before: Uint8Array, after: Uint8Array): string {
  if (before.length === 6) return `pair, 6 bytes → ${formatBytes(after)}`;
  return before.length === 4 ? 'four-byte form, stays' : `${before.length} bytes, stay`;
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

const before = splitRows(readFileSync(sample));
console.log(`
A table of customers, exported from a database whose character set is Oracle's
UTF8: ${before.length - 1} rows. Where the web application wrote a row, a character above
U+FFFF takes six bytes (CESU-8); where a batch wrote it, four (UTF-8).

1  Is it UTF-8?
`);
const checked = run(
  ['check'],
  ['--as utf-8', sample].flatMap((words) => words.split(' ')),
);
expect('The check of the sample', checked, 1);
const findings = checked.stdout.trimEnd().split('\n');
for (const finding of findings.slice(0, FEW)) console.log(finding);
console.log(`… and ${findings.length - FEW} more`);
process.stdout.write(checked.stderr);

console.log('\n2  Convert what is CESU-8 in it, and leave alone what is UTF-8.\n');
mkdirSync(dirname(result), { recursive: true });
const converted = run(
  ['convert'],
  ['--from', 'cesu-8+utf-8', '--to', 'utf-8', '--stats', '-'],
  ['-o', result],
  [sample],
);
expect('The conversion', converted, 0);
const stats = JSON.parse(converted.stdout);
const after = splitRows(readFileSync(result));
const changed = before.filter(({ bytes }, i) => !isSame(bytes, (after[i] as Row).bytes));
const kinds = Object.entries<number>(stats.changedCharacters).filter(([, number]) => number > 0);
const total = kinds.reduce((sum, [, number]) => sum + number, 0);
const byKind = kinds.map((kind) => kind.join(' ')).join(', ');
console.log(`${stats.bytesRead} bytes became ${stats.bytesWritten}.
${count(total, 'character')} changed, in ${changed.length} of ${before.length - 1} rows, by kind: ${byKind}.
The other ${stats.characters - total} are byte for byte as they were.`);

console.log('\n3  Three rows before and after, and every character in them but ASCII.');
for (const id of SHOWN) {
  const i = before.findIndex(({ bytes }) => mixed.decode(bytes).startsWith(`${id},`));
  const old = before[i] as Row;
  const row = after[i] as Row;
  console.log(`\nbefore  ${new TextDecoder().decode(old.bytes)}`);
  console.log(`after   ${new TextDecoder().decode(row.bytes)}`);
  for (const line of annotate(old, row)) console.log(line);
}

console.log('\n4  Is the result UTF-8?\n');
const rechecked = run(['check'], ['--as', 'utf-8', result]);
expect('The check of the result', rechecked, 0);
console.log(`It is, without a fault. It lies in\n${result}\n`);

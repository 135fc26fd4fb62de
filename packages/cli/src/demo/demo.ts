/**
 * What `npm start` shows: the command at its main job, on the sample that ships with it. The real
 * command does everything; this only runs it, and compares the files before and after.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatBytes, formatCodePoint } from '@utf8/core';
import { split } from '@utf8/detect';
import * as strict from '@utf8/strict';
import { count, listCounts, sumCounts } from '../words/count.js';

const at = (path: string): string =>
  relative(process.cwd(), fileURLToPath(new URL(path, import.meta.url)));
const program = at('./utf8.js');
const sample = at('../sample/customers.csv');
// Neither git nor npm looks into this folder.
const result = at('../node_modules/.cache/demo/customers.utf-8.csv');

/** A row of the web application with Hangul, one of the batch, one with private use. */
const SHOWN = ['1002', '1003', '1008'];

/** The most findings to show. */
const FEW = 6;

/** Cuts a CSV file into rows, at the line feeds outside of quotes. */
function splitRows(file: Buffer): Buffer[] {
  const text = file.toString('latin1').replace(/\n$/, '');
  return text.split(/\n(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((row) => Buffer.from(row, 'latin1'));
}

/** Prints a command line, one group of words a line, runs it, and ends with its error if it fails. */
function run(wanted: number, ...groups: string[][]): { stdout: string; stderr: string } {
  console.log(`$ node ${program} ${groups.map((words) => words.join(' ')).join(' \\\n    ')}`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...groups.flat()], {
    encoding: 'utf8',
  });
  if (status !== wanted) {
    console.error(`the command ended with ${status}, not with ${wanted}:\n${stderr}`);
    process.exit(1);
  }
  return { stdout, stderr };
}

/** Lists the characters of a row above ASCII: offset, bytes, character, and what became of it. */
function annotate(row: Buffer, start: number): string[] {
  const sequences = [...split(row, start, true)].filter(({ bytes }) => bytes.length > 1);
  return sequences.map(({ bytes, offset, codePoint = 0 }) => {
    const columns = [
      String(offset).padStart(6),
      formatBytes(bytes).padEnd(17),
      formatCodePoint(codePoint).padEnd(8),
      show(String.fromCodePoint(codePoint)),
      describe(bytes, strict.encodeCodePoints([codePoint])),
    ];
    return columns.join('  ');
  });
}

/** Shows a character in two columns; nothing if it has no shape of its own. */
function show(character: string): string {
  if (/[\p{Mark}\p{Private_Use}\p{Format}]/u.test(character)) return '  ';
  const isWide = /[\p{Script=Han}\p{Script=Hangul}\p{Emoji_Presentation}]/u.test(character);
  return isWide ? character : `${character} `;
}

function describe(before: Uint8Array, after: Uint8Array): string {
  if (before.length === 6) return `pair, 6 bytes → ${formatBytes(after)}`;
  return before.length === 4 ? 'four-byte form, unchanged' : `${before.length} bytes, unchanged`;
}

const original = readFileSync(sample);
const before = splitRows(original);
console.log(`
A table of customers, exported from a database whose character set is Oracle's
UTF8: ${before.length - 1} rows. In rows that the web application wrote, characters above
U+FFFF have six bytes (CESU-8); in rows of a batch job, four (UTF-8).

1  Is it UTF-8?
`);
const checked = run(1, ['check'], ['--as', 'utf-8', sample]);
const findings = checked.stdout.trimEnd().split('\n');
for (const finding of findings.slice(0, FEW)) console.log(finding);
console.log(`… and ${findings.length - FEW} more`);
process.stdout.write(checked.stderr);

console.log('\n2  Convert the CESU-8 in it, and leave the UTF-8 alone.\n');
mkdirSync(dirname(result), { recursive: true });
const flags = ['--from', 'cesu-8+utf-8', '--to', 'utf-8', '--stats', '-'];
const stats = JSON.parse(run(0, ['convert'], flags, ['-o', result], [sample]).stdout);
const after = splitRows(readFileSync(result));
const changed = before.filter((row, i) => !row.equals(after[i] as Buffer));
const kinds = Object.fromEntries(
  Object.entries<number>(stats.changedCharacters).filter(([, number]) => number > 0),
);
const total = sumCounts(kinds);
console.log(`${stats.bytesRead} bytes became ${stats.bytesWritten}.
${count(total, 'character')} changed, in ${changed.length} of ${before.length - 1} rows, by kind: ${listCounts(kinds)}.
The other ${stats.characters - total} are the same, byte for byte.`);

console.log('\n3  Three rows before and after, and every character in them above ASCII.');
for (const id of SHOWN) {
  const i = before.findIndex((row) => row.toString().startsWith(`${id},`));
  const row = before[i] as Buffer;
  console.log(`\nbefore  ${row}\nafter   ${after[i]}`);
  for (const line of annotate(row, original.indexOf(row))) console.log(line);
}

console.log('\n4  Is the result UTF-8?\n');
run(0, ['check'], ['--as', 'utf-8', result]);
console.log(`It is, without a fault:\n${result}\n`);

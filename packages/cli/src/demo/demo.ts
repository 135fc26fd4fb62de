/**
 * Demonstration for `npm start`: the command at its main task, on the sample that ships with it. The real
 * command does everything; this only runs it, and compares the files before and after.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatBytes, formatCodePoint } from '@utf8/core';
import { split } from '@utf8/explain';
import * as strict from '@utf8/strict';
import { padText } from '../terminal/wrap.js';

const at = (path: string): string =>
  relative(process.cwd(), fileURLToPath(new URL(path, import.meta.url)));
const program = at('./utf8.js');
const sample = at('../sample/customers.csv');
// Neither git nor npm looks into this folder.
const result = at('../node_modules/.cache/demo/customers.utf-8.csv');

/** A row of the web application with Hangul, one of the batch, one with private use. */
const SHOWN = ['1002', '1003', '1008'];

/** Prints a command line, one group of words a line, runs it, and ends with its error if it fails. */
function run(wanted: number, ...groups: string[][]): { stdout: string; stderr: string } {
  console.log(`$ node ${program} ${groups.map((words) => words.join(' ')).join(' \\\n    ')}`);
  const args = [program, ...groups.flat()];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status === wanted) return { stdout, stderr };
  console.error(`the command ended with ${status}, not with ${wanted}:\n${stderr}`);
  process.exit(1);
}

/** Lists the characters of a row above ASCII: offset, bytes, character, and what became of it. */
function* annotate(row: Buffer, start: number): Generator<string, void, undefined> {
  for (const { bytes, offset, codePoint = 0 } of split(row, start, true)) {
    const { length } = bytes;
    if (length === 1) continue;
    const character = String.fromCodePoint(codePoint);
    const hasShape = !/[\p{Mark}\p{Private_Use}\p{Format}]/u.test(character);
    const result = formatBytes(strict.encodeCodePoints([codePoint]));
    yield [
      String(offset).padStart(6),
      formatBytes(bytes).padEnd(17),
      formatCodePoint(codePoint).padEnd(8),
      padText(hasShape ? character : '', 2),
      length === 6 ? `pair, 6 bytes → ${result}` : `${length} bytes, unchanged`,
    ].join('  ');
  }
}

console.log(`
A table of customers, exported from a database whose character set is Oracle's
UTF8. In rows that the web application wrote, characters above U+FFFF have six
bytes (CESU-8); in rows of a batch job, four (UTF-8).

1  Is it UTF-8?
`);
const checked = run(1, ['check'], ['--from', 'utf-8', sample]);
const findings = checked.stdout.trimEnd().split('\n');
console.log(`${findings.slice(0, 6).join('\n')}\n… and ${findings.length - 6} more`);
process.stdout.write(checked.stderr);

console.log('\n2  Convert the CESU-8 in it, and leave the UTF-8 alone.\n');
mkdirSync(dirname(result), { recursive: true });
const flags = ['--from', 'cesu-8+utf-8', '--to', 'utf-8', '--stats', '-'];
const stats = JSON.parse(run(0, ['convert'], flags, ['-o', result], [sample]).stdout);
const { pair } = stats.changedCharacters;
console.log(`${stats.bytesRead} bytes became ${stats.bytesWritten}.
${pair} characters changed, in ${stats.changedLines} of ${stats.lines} lines: pairs of six bytes.
The other ${stats.characters - pair} are the same, byte for byte.`);

console.log('\n3  Three rows before and after, and every character in them above ASCII.');
const findRow = (file: Buffer, id: string): Buffer => {
  const start = file.indexOf(`\n${id},`) + 1;
  return file.subarray(start, file.indexOf('\n', start));
};
const original = readFileSync(sample);
for (const id of SHOWN) {
  const row = findRow(original, id);
  console.log(`\nbefore  ${row}\nafter   ${findRow(readFileSync(result), id)}`);
  for (const line of annotate(row, original.indexOf(row))) console.log(line);
}

console.log('\n4  Is the result UTF-8?\n');
run(0, ['check'], ['--from', 'utf-8', result]);
console.log(`It is well-formed:\n${result}\n`);

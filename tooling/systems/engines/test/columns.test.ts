/**
 * `utf8_columns.py` in real Spark: texts in Parquet, row by row.
 *
 * @module-tag night
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spellPair } from '@utf8/systems/databases/planted';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeLauncher } from '../src/launcher.js';
import { demandSpark, LIMIT, pythonEnvironment } from '../src/pyspark.js';
import { demandPeer } from '../src/python.js';

const root = mkdtempSync(join(tmpdir(), 'utf8-columns-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const pair = spellPair('😀').toString('hex');
const hex = (text: string): string => Buffer.from(text).toString('hex');

/** Texts in hexadecimal digits, and what becomes of them. */
const texts: readonly (readonly [before: string | null, after: string | null])[] = [
  [null, null],
  ['', ''],
  [hex('plain'), hex('plain')],
  [pair, hex('😀')],
  [hex('😀') + pair, hex('😀😀')],
  [hex('line\nfeed\r\nand return\r'), hex('line\nfeed\r\nand return\r')],
  [hex('tab\tquote"",\\N \\n"'), hex('tab\tquote"",\\N \\n"')],
  [`${pair}${hex('"\n","')}${pair}`, hex('😀"\n","😀')],
  [`00${pair}00`, hex('\0😀\0')],
  [hex('\ufeff\n'), hex('\ufeff\n')],
  [hex('"'), hex('"')],
];

interface Results {
  /** The rows of each table after its conversion. */
  readonly tables: Readonly<Record<string, readonly (readonly (string | number | null)[])[]>>;
  /** The types of the columns. */
  readonly types: Readonly<Record<string, readonly string[]>>;
  readonly errors: Readonly<Record<string, string>>;
  /** Exit code and stderr of command lines. */
  readonly commands: Readonly<Record<string, readonly [number, string]>>;
}

describe('columns of Parquet', () => {
  const command = writeLauncher(join(root, 'bin'));
  let results: Results;
  beforeAll(() => {
    const file = join(root, 'results.json');
    demandSpark();
    const input = JSON.stringify(texts.map(([before]) => before));
    demandPeer('columns_cases.py', [root, command, file], input, pythonEnvironment);
    results = JSON.parse(readFileSync(file, 'utf8'));
  }, LIMIT);

  const expected = texts.map(([, after], i) => [i, after, after, texts[i]?.[0] ?? null]);

  it.each(['STRING and BINARY', 'chunks of a few bytes', 'through the command'])(
    '%s: every text is converted, and every row, NULL and other column stays',
    (name) => {
      expect(results.tables[name]).toEqual(expected);
      expect(results.types[name]).toEqual(['int', 'string', 'string', 'binary']);
    },
  );

  it('policies say what becomes of other texts', () => {
    const [[, replaced] = []] = results.tables['a policy'] ?? [];
    expect(replaced).toBe(hex('x\ufffd'));
  });

  it('columns of JSON get escapes that survive', () => {
    const [[, escaped] = []] = results.tables.JSON ?? [];
    expect(escaped).toBe(hex('{"a":"\\\\ud83d"}'));
  });

  it.each([
    ['a refused text', /^column text: row 3 of partition 0: unpaired-surrogate: ED A0 BD$/],
    ['a nested column', /^column tags: is array<string>; only columns of type string or binary/],
    ['a missing column', /^column nme: no such column; expected id, text, data, other$/],
    ['a column twice', /^column text: given twice$/],
    ['no column', /^specify at least one column$/],
    ['an option of files', /^--options: --format is for files/],
    ['no encoding', /^--options: --from is missing$/],
    ['an unknown encoding', /--from "x": unknown encoding/],
    ['no program', /^utf8 is missing on .*: there is no program \/nowhere\/utf8/],
  ])('%s is refused in one sentence', (name, sentence) => {
    expect(results.errors[name]).toMatch(sentence);
    expect(results.errors[name]).not.toContain('\n');
  });

  it.each([
    ['exists', 1, /already exists/],
    ['nested', 2, /^utf8_columns: column tags: is array<string>/],
    ['refused', 1, /^utf8_columns: column text: row 3 of partition 0/],
  ])('the command tells of %s by its exit code', (name, code, sentence) => {
    expect(results.commands[name]).toEqual([code, expect.stringMatching(sentence)]);
  });
});

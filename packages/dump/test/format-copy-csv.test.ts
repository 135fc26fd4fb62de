/** The rows of a COPY … csv in a script. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale } from '../../../tooling/tiers/tier.js';
import { findFormat } from '../src/format/registry.js';
import {
  bytesOf,
  catchError,
  cell,
  cesu,
  errorOf,
  expectSameCut,
  readAll,
  sizes,
} from './format-reading.js';

const format = findFormat('pg_dump', { assume: 'text' });

const rowsOf = (text: string): string[][] =>
  readAll(format, text)
    .filter(({ kind }) => kind === 'record')
    .map(({ fields }) => fields.map((field) => field.text));

describe('COPY … csv in pg_dump', () => {
  it('has a record for each row', () => {
    const statement =
      "COPY t (a, b) FROM stdin WITH (FORMAT csv, DELIMITER ';', NULL '', HEADER);\n";
    const text = `${statement}"a";b\n"x;""\n";${cesu.emoji}\n;\\.\n\\.\nSELECT 1;\n`;
    const pieces = readAll(format, text);
    expect(pieces.map(({ kind, own, line, number }) => [kind, own, line, number])).toEqual([
      ['other', statement, 1, 0],
      ['other', '"a";b\n', 2, 0],
      ['record', `"x;""\n";${cesu.emoji}\n`, 3, 1],
      ['record', ';\\.\n', 5, 2],
      ['other', '\\.\n', 6, 0],
      ['other', 'SELECT 1;\n', 7, 0],
    ]);
    expect(pieces[2]).toMatchObject({
      table: 't',
      before: `${statement}"a";b\n`,
      after: '\\.\n',
      fields: [
        { text: 'x;""\n', kind: 'text', column: 'a', number: 1 },
        { text: cesu.emoji, kind: 'text', column: 'b', number: 2 },
      ],
    });
    expectSameCut(format, text, [1]);
    const bytes = bytesOf(text);
    for (const { kind, number, fields } of format.createReader().read(bytes)) {
      if (kind !== 'record' || number !== 1) continue;
      const [value] = fields.map((field) => Buffer.from(format.readValue(bytes, field)).toString());
      expect(value).toBe('x;"\n');
    }
  });

  it.each([
    ['CSV', 'a,"b,"\n', [['a', 'b,']]],
    ['with csv', 'a,"b,"\n', [['a', 'b,']]],
    ['CSV HEADER', 'a\n"1\n"\n', [['1\n']]],
    [
      "DELIMITER AS '|' NULL AS 'x' CSV QUOTE AS '#' ESCAPE AS E'\\\\' FORCE NOT NULL a, b",
      'a|#b\\#|#\n',
      [['a', 'b\\#|']],
    ],
    [
      "(FORMAT 'csv', DELIMITER E'\\t', HEADER false, FORCE_NULL (a, b), ENCODING 'utf8')",
      'a\t"b\t"\n',
      [['a', 'b\t']],
    ],
    ["(FORMAT csv, HEADER match, QUOTE '''')", "a\n'1,''\n'\n", [["1,''\n"]]],
    ["WITH DELIMITER ',' NULL 'x'", 'a,b\\,c\n', [['a', 'b\\,c']]],
    ["USING DELIMITERS '|'", 'a|b\n', [['a', 'b']]],
    ["(DELIMITER ';', FREEZE, NULL 'NULL', DEFAULT 'd')", 'a;b\n', [['a', 'b']]],
  ])('reads %s', (options, rows, fields) => {
    const text = `COPY t FROM stdin ${options};\n${rows}\\.\n`;
    expect(rowsOf(text)).toEqual(fields);
    expectSameCut(format, text, [2]);
  });

  it.each([
    ['BINARY', 'BINARY'],
    ['(FORMAT binary)', 'BINARY'],
    ["(FORMAT csv, ENCODING 'LATIN1')", 'ENCODING LATIN1'],
    ["(FORMAT csv, DELIMITER '||')", 'DELIMITER'],
    ["(FORMAT csv, DELIMITER '\x80')", 'DELIMITER'],
    ["(FORMAT csv, DELIMITER '\r')", 'DELIMITER'],
    ["(FORMAT csv, ESCAPE '')", 'ESCAPE'],
    ["(FORMAT csv, QUOTE E'\\x01')", 'QUOTE'],
    ["(DELIMITER ',', HEADER)", 'HEADER'],
    ["(FORMAT csv) WHERE a = ')'", 'WHERE'],
    ['(FORMAT csv, NOVEL 1)', 'NOVEL'],
    ['OIDS', 'OIDS'],
  ])('refuses %s', (options, word) => {
    expect(errorOf(format, `\nCOPY t FROM stdin ${options};\n1\n\\.\n`)).toBe(
      `FILE:2: COPY with the option ${word} is not supported; move its rows to a file for \`format: 'copy'\` or csv`,
    );
  });

  it('ends at the line \\. even within quotes, as in psql', () => {
    const text = 'COPY t FROM stdin CSV;\n"a\n\\.\nb"\n\\.\n';
    const error = catchError(() => format.createReader().skip(bytesOf(text), true));
    expect(error.message).toBe(
      'line 2: unterminated quoted field; close the quote, or set `quote`',
    );
    const open = catchError(() =>
      format.createReader().skip(bytesOf('COPY t FROM stdin CSV;\na\n'), true),
    );
    expect(open.message).toBe('line 1: COPY without a final line \\.; is the dump complete?');
  });

  it('reads what was written, however it is cut', () => {
    const row = fc.array(cell, { minLength: 1, maxLength: 3 });
    const end = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 8 }),
        end,
        fc.boolean(),
        sizes,
        (table, end, hasHeader, cuts) => {
          const rows = table.filter((row) => !row.some((text) => /(^|\n)\\\.\r?(\n|$)/.test(text)));
          const quoted = rows.map((row) => row.map((text) => text.replaceAll('"', '""')));
          const lines = quoted.map((row) => row.map((text) => `"${text}"`).join(',') + end);
          const header = hasHeader ? '"a\n",b\n' : '';
          const text = `COPY t FROM stdin CSV${hasHeader ? ' HEADER' : ''};\n${header}${lines.join('')}\\.${end}SELECT 1;\n`;
          expectSameCut(format, text, cuts);
          expect(rowsOf(text)).toEqual(quoted);
        },
      ),
      { numRuns: scale(150) },
    );
  });
});

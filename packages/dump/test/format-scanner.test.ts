import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale } from '../../../tooling/tiers/tier.js';
import type { FormatOptions } from '../src/format/format.js';
import { findFormat, formatNames } from '../src/format/registry.js';
import { bytesOf, catchError, expectSameCut, expectSameScan } from './format-reading.js';

const parts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 });

/** Text that may follow the tuples of an INSERT. */
const closing = fc.constantFrom(
  ...['', ')', ');', ') ;', ');;', ')//', ') a(;;', ')(;)', ") 'b';", ')  , ;\n', ') -- ;\n//\n'],
);

/** The options that a format needs to read any text. */
const optionsOf = (name: string): FormatOptions => {
  if (name === 'tab') return { quote: '"' };
  return ['mysqldump', 'pg_dump'].includes(name) ? { assume: 'text' } : {};
};

const soupOf = (...tokens: string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...tokens), { maxLength: 20 }).map((soup) => soup.join(''));

describe('a scanner', () => {
  it.each(formatNames)('of %s keeps U+FEFF apart, and what only begins like it', (name) => {
    const format = findFormat(name, name === 'tab' ? {} : optionsOf(name));
    const mark = '\xef\xbb\xbf';
    for (const text of [mark, '\xef', '\xef\xbb', `${mark}\n`, '\xef\n', '\xef\xbb\n\n']) {
      for (const size of [1, 2, 3, 4]) {
        if (text.startsWith(mark) || text.endsWith('\n')) expectSameScan(format, text, [size]);
      }
    }
    const { state } = format.createReader();
    expect(format.createReader().skip(bytesOf(mark), false)).toBe(0);
    expect(format.createScanner?.(state).push(bytesOf(mark), false)).toBe(-1);
  });

  it.each(['csv', 'tab', 'copy', 'lines'])('of %s reads a quote or an end after U+FEFF', (name) => {
    const format = findFormat(name, optionsOf(name));
    const mark = '\xef\xbb\xbf';
    const texts = ['"a\nb"\n1\n"c"\n', '\\.\n\\.\n', '"a'.repeat(9), '\\\\.\n'];
    for (const text of texts) {
      for (const size of [1, 2, 3, 4, 5, 99]) {
        expectSameScan(format, mark + text, [size]);
        expectSameScan(format, `\xef\xbb${text}`, [size]);
      }
    }
    expectSameCut(format, `${mark}\\.\n"a\nb"\n`, [1]);
  });

  it('finds the rows of COPY, and their errors', () => {
    const short = soupOf('\\', '\\', '\\\n', '\\\r\n', '\r', '.', '\\.\n', '\n', '\t', 'a');
    const long = fc
      .tuple(fc.nat(12), fc.nat(5), fc.constantFrom('', '\r'))
      .map(([letters, backslashes, end]) => {
        return `${'a'.repeat(letters)}${'\\'.repeat(backslashes)}${end}\nb\n`;
      });
    const soup = fc.oneof(short, long);
    fc.assert(
      fc.property(soup, parts, fc.boolean(), (text, parts, isDump) => {
        if (isDump)
          expectSameScan(
            findFormat('pg_dump', { assume: 'text' }),
            `COPY t FROM stdin;\n${text}`,
            parts,
          );
        else expectSameScan(findFormat('copy'), text, parts);
      }),
      { numRuns: scale(1500) },
    );
  });

  it('finds the end of an INSERT of MySQL, and its errors', () => {
    const start = fc.constantFrom(
      ...['', '\n', '/* a */ ', '/* a\n */\n', '-- a\n', 'DELIMITER //\n', 'DELIMITER ;;\n'],
    );
    const soup = soupOf(
      ...["'", "'", "''", '"', '`', '\\', '\\', '(', ')', '),(', ')  ,\n(', ',', ';', ';;', '//'],
      ...['/', '-', '--', '-- ', '#', '/*', '*/', '/*!', '\n', ' ', '\t', '\r\n', 'a', "'a'"],
    );
    fc.assert(
      fc.property(start, soup, closing, soup, parts, (start, inner, closing, outer, parts) => {
        const text = `${start}INSERT t VALUES (1${inner}${closing}${outer}`;
        expectSameScan(findFormat('mysqldump', { assume: 'text' }), text, parts);
      }),
      { numRuns: scale(4000) },
    );
  });

  it('finds the end of an INSERT of PostgreSQL, and its errors', () => {
    const start = fc.constantFrom('', '\n', '/* a */ ', 'SET standard_conforming_strings = off;\n');
    const soup = soupOf(
      ...["'", "'", "''", "E'", "aE'", '"', '\\', '\\', '$', '$$', '$a$', '$ab', 'a', '1'],
      ...[
        '(',
        ')',
        '),(',
        ')  ,\n(',
        '));',
        '));',
        ',',
        ';',
        '/',
        '-',
        '--',
        '/*',
        '*/',
        '\n',
        ' ',
        '\r\n',
      ],
    );
    fc.assert(
      fc.property(start, soup, closing, soup, parts, (start, inner, closing, outer, parts) => {
        const text = `${start}INSERT INTO t VALUES (1${inner}${closing}${outer}`;
        expectSameScan(findFormat('pg_dump', { assume: 'text' }), text, parts);
      }),
      { numRuns: scale(4000) },
    );
  });

  it('requires a comma between tuples, wherever a chunk ends', () => {
    const text = 'INSERT t VALUES (12345678901234)(3);';
    for (let size = 1; size < text.length; size++) {
      expectSameScan(findFormat('mysqldump', { assume: 'text' }), text, [size, 99]);
    }
  });

  it.each([
    ['mysqldump', 'INSERT INTO t VALUES (0x', '00', '),(2);'],
    ['mysqldump', "INSERT INTO t VALUES ('", "a''\\'\n", "'),(2);"],
    ['mysqldump', 'INSERT INTO t VALUES (1)', ',\n(1)', ';'],
    ['pg_dump', 'INSERT INTO t VALUES ($a$', '$a\n', "$a$, '');"],
    ['pg_dump', "INSERT INTO t VALUES (E'", "\\\\\\'", "');"],
    ['mysqldump', '-- ', 'a', '\n'],
    ['csv', '"', 'a\n""', '",b\n'],
    ['tab', '', '\\\n', '\n'],
    ['copy', '', '\\\\', '\n'],
  ])('of %s passes any length in parts: %j', (name, start, middle, end) => {
    const options = name === 'csv' ? { header: false } : {};
    const format = findFormat(name, { ...optionsOf(name), ...options });
    const body = bytesOf(middle.repeat((1 << 16) / middle.length));
    const scanner = format.createScanner?.(format.createReader().state);
    expect(scanner?.push(bytesOf(start), false)).toBe(-1);
    for (let i = 0; i < 8; i++) expect(scanner?.push(body, false)).toBe(-1);
    expect(scanner?.push(bytesOf(`${end}\nrest`), false)).toBeGreaterThanOrEqual(end.length);
    const reader = format.createReader();
    const text = bytesOf(start + middle.repeat((8 * body.length) / middle.length) + end);
    reader.skip(text, true);
    // The line feed after a statement belongs to it.
    const { line, record } = reader.state;
    const isStatement = end.endsWith(';');
    expect(scanner?.state).toMatchObject({ line: line + (isStatement ? 1 : 0), record });
  });

  it.each([
    ['mysqldump', "UPDATE t SET a = '", 'a', 1, 'statement exceeds 256 MiB'],
    ['pg_dump', '/* a */ DO $$', ';', 1, 'statement exceeds 256 MiB'],
    ['pg_dump', 'INSERT INTO t VALUES (1) RETURNING 1, /*', '', 1, 'statement exceeds 256 MiB'],
    ['csv', '"', 'a,', 1, 'the header exceeds 1 MiB; is a quote left open?'],
  ])('of %s refuses %j… in constant memory', (name, start, middle, line, reason) => {
    const format = findFormat(name, optionsOf(name));
    const scanner = format.createScanner?.(format.createReader().state);
    const body = bytesOf((middle || 'a').repeat(1 << 20));
    const error = catchError(() => {
      scanner?.push(bytesOf(start), false);
      scanner?.push(body, false);
    });
    expect([error.reason, error.line]).toEqual([reason, line]);
  });
});

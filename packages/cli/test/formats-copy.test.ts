import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findFormat } from '../src/formats/index.js';
import {
  cell,
  cesu,
  expectSameCut,
  failureOf,
  readAll,
  readRows,
  sizes,
} from './formats-reading.js';

const format = findFormat('copy');

/** As COPY TO writes it. */
function write(
  rows: readonly (readonly (string | null)[])[],
  delimiter: string,
  end: string,
): string {
  const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };
  const spell = (text: string) =>
    [...text].map((c) => escapes[c] ?? (c === delimiter ? `\\${c}` : c)).join('');
  return rows
    .map((row) => row.map((text) => (text === null ? '\\N' : spell(text))).join(delimiter) + end)
    .join('');
}

describe('copy', () => {
  it('parts columns at tabs, and names them', () => {
    const named = findFormat('copy', { columns: ['id', 'name'] });
    const [piece] = readAll(named, `1\t${cesu.emoji}\tx\r\n`);
    expect(piece?.fields).toEqual([
      { text: '1', kind: 'text', column: 'id', number: 1 },
      { text: cesu.emoji, kind: 'text', column: 'name', number: 2 },
      { text: 'x', kind: 'text', column: undefined, number: 3 },
    ]);
  });

  it('has a field in an empty line', () => {
    expect(readRows(format, '\n\t\n')).toEqual([[''], ['', '']]);
  });

  it('leaves NULL and hexadecimal bytea alone', () => {
    const text = '\\N\t\\\\x00fF\t\\\\xno\t\\\\x\t\\n\t\\Na\tN\n';
    expect(readAll(format, text)[0]?.fields.map(({ kind }) => kind)).toEqual([
      'opaque',
      'opaque',
      'text',
      'opaque',
      'text',
      'text',
      'text',
    ]);
  });

  it('takes an escaped delimiter for text', () => {
    expect(readRows(format, 'a\\\tb\tc\\\\\td\n')).toEqual([['a\\\tb', 'c\\\\', 'd']]);
    const comma = findFormat('copy', { delimiter: ',' });
    expect(readRows(comma, 'a\tb,c\\,d\n')).toEqual([['a\tb', 'c\\,d']]);
  });

  it('takes a backslash at the end of the input as it is', () => {
    expect(readRows(format, 'a\tb\\')).toEqual([['a', 'b\\']]);
  });

  it('counts no row for the end of the data', () => {
    const kinds = (text: string) => readAll(format, text).map(({ kind, number }) => [kind, number]);
    expect(kinds('a\n\\.\n')).toEqual([
      ['record', 1],
      ['other', 0],
    ]);
    expect(kinds('\\.\r\n\\.a\n\\.')).toEqual([
      ['other', 0],
      ['record', 1],
      ['other', 0],
    ]);
    expect(kinds('a\\.\n\\\\.\n')).toEqual([
      ['record', 1],
      ['record', 2],
    ]);
  });

  it.each(['a\nb\\\nc\n', 'a\nb\\\\\\\r\nc\n'])('refuses a line feed that is data: %j', (text) => {
    expect(failureOf(format, text)).toBe(
      'FILE line 2: the line ends in a backslash, which makes its line feed a part of the data; write \\n for the two, as COPY TO does',
    );
  });

  it('takes an escaped backslash before a line feed', () => {
    expect(readRows(format, 'a\\\\\nb\\\\\\\\\r\n')).toEqual([['a\\\\'], ['b\\\\\\\\']]);
  });

  it('doubles backslashes, and can start at any line', () => {
    expect([format.quote('\\xED'), format.isLineBased]).toEqual(['\\\\xED', true]);
  });

  it('reads what was written, however it is cut', () => {
    const rows = fc.array(fc.array(fc.option(cell), { minLength: 1, maxLength: 4 }), {
      maxLength: 12,
    });
    const delimiters = fc.constantFrom('\t', ',', '|', '\x01');
    const end = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(
        rows,
        delimiters,
        end,
        sizes,
        fc.boolean(),
        (table, delimiter, end, cuts, ends) => {
          const format = findFormat('copy', { delimiter });
          const read = (text: string) =>
            text === '\\N'
              ? null
              : text.replace(/\\(.)/gs, (_, c) => ({ n: '\n', r: '\r', t: '\t' })[c as 'n'] ?? c);
          const text = write(table, delimiter, end) + (ends ? `\\.${end}` : '');
          // The mark would be none of the first field's.
          fc.pre(!text.startsWith('\xef\xbb\xbf'));
          expectSameCut(format, text, cuts);
          expect(readRows(format, text).map((row) => row.map(read))).toEqual(table);
        },
      ),
    );
  });

  it('cuts what nobody wrote the same', () => {
    const soup = fc.array(fc.constantFrom('\\', '.', '\\.\n', '\n', '\r\n', '\t', 'a', '\\\\\n'));
    fc.assert(
      fc.property(soup, sizes, (parts, cuts) => {
        const text = parts.join('');
        fc.pre(!/(^|[^\\])(\\\\)*\\\r?\n/.test(text));
        expectSameCut(format, text, cuts);
      }),
    );
  });
});

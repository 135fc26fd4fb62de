import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale } from '../../../tooling/tiers/tier.js';
import { findFormat } from '../src/format/registry.js';
import {
  catchError,
  cell,
  cesu,
  errorOf,
  expectSameCut,
  readAll,
  readRows,
  sizes,
} from './format-reading.js';

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
  it('copies binary columns as they are', () => {
    const binary = findFormat('copy', { columns: 'a,b', binary: 'b' });
    expect(readAll(binary, '1\t\xff\n')[0]?.fields.map(({ kind }) => kind)).toEqual([
      'text',
      'opaque',
    ]);
    expect(binary.isOpaqueAscii).toBe(false);
    expect(catchError(() => readAll(binary, 'x\n1\n')).message).toBe(
      'line 1: record has 1 field, but `binary` names column 2; check `delimiter` and `binary`',
    );
  });

  it('separates columns at tabs, and names them', () => {
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

  it('leaves NULL and hexadecimal bytea unchanged', () => {
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

  it('reads an escaped delimiter as text', () => {
    expect(readRows(format, 'a\\\tb\tc\\\\\td\n')).toEqual([['a\\\tb', 'c\\\\', 'd']]);
    const comma = findFormat('copy', { delimiter: ',' });
    expect(readRows(comma, 'a\tb,c\\,d\n')).toEqual([['a\tb', 'c\\,d']]);
  });

  it('keeps a backslash at the end of the input', () => {
    expect(readRows(format, 'a\tb\\')).toEqual([['a', 'b\\']]);
  });

  it('does not count the end of the data as a row', () => {
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

  it('takes the end of the data for a row if a CR without LF follows', () => {
    for (const text of ['a\n\\.\r', '\\.\r', 'a\n\\.\r\r\n']) {
      expectSameCut(format, text, [1]);
      expect(readAll(format, text).map(({ kind }) => kind)).not.toContain('other');
    }
  });

  it.each(['a\nb\\\nc\n', 'a\nb\\\\\\\r\nc\n'])('refuses an escaped line feed: %j', (text) => {
    expect(errorOf(format, text)).toBe(
      'FILE:2: a backslash escapes the line feed; write it as \\n, as COPY TO does',
    );
  });

  it('accepts an escaped backslash before a line feed', () => {
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
          // It would not be part of the first field.
          fc.pre(!text.startsWith('\xef\xbb\xbf'));
          expectSameCut(format, text, cuts);
          expect(readRows(format, text).map((row) => row.map(read))).toEqual(table);
        },
      ),
      { numRuns: scale(300) },
    );
  });

  it('cuts any bytes the same', () => {
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

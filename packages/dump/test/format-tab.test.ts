import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale } from '../../../tooling/tiers/tier.js';
import type { FormatOptions } from '../src/format/format.js';
import { findFormat } from '../src/format/registry.js';
import { bytesOf, cell, cesu, errorOf, expectSameCut, readAll, sizes } from './format-reading.js';

const format = findFormat('tab', { assume: 'text' });

/** The values of all records; null for opaque fields. */
function readValues(of: typeof format, text: string): (string | null)[][] {
  const bytes = bytesOf(text);
  const rows: (string | null)[][] = [];
  for (const { kind, fields } of of.createReader().read(bytes)) {
    if (kind !== 'record') continue;
    const values = fields.map((field) =>
      field.kind === 'opaque' ? null : Buffer.from(of.readValue(bytes, field)).toString('latin1'),
    );
    rows.push(values);
  }
  return rows;
}

describe('tab', () => {
  it('separates columns at tabs, and names them', () => {
    const named = findFormat('tab', { columns: 'id,name', assume: 'text' });
    expect(readAll(named, `1\t${cesu.emoji}\n\\N\t\\NULL\n`).map(({ fields }) => fields)).toEqual([
      [
        { text: '1', kind: 'text', column: 'id', number: 1 },
        { text: cesu.emoji, kind: 'text', column: 'name', number: 2 },
      ],
      [
        { text: '\\N', kind: 'opaque', column: 'id', number: 1 },
        { text: '\\NULL', kind: 'text', column: 'name', number: 2 },
      ],
    ]);
  });

  it('keeps escaped tabs and line ends within a field', () => {
    const text = 'a\\\tb\\\nc\t\\\\\n\\\\\\\n\\\\\nd\\\r\ne\\\n';
    expect(readAll(format, text).map(({ line, own }) => [line, own])).toEqual([
      [1, 'a\\\tb\\\nc\t\\\\\n'],
      [3, '\\\\\\\n\\\\\n'],
      [5, 'd\\\r\n'],
      [6, 'e\\\n'],
    ]);
    expect(readValues(format, text)).toEqual([['a\tb\nc', '\\'], ['\\\n\\'], ['d\r'], ['e\n']]);
  });

  it('keeps a CR before the line feed, which MySQL does not escape', () => {
    expect(readValues(format, 'a\r\n\r\n')).toEqual([['a\r'], ['\r']]);
    const quoted = findFormat('tab', { quote: '"' });
    expect(readValues(quoted, '"a"\r\n\\N\r\n')).toEqual([['a'], [null]]);
  });

  it("reads MySQL's escapes", () => {
    expect(readValues(format, "\\0\\b\\n\\r\\t\\Z\\\\\\a\\'\t\\N\t\\N \tNULL\t\\n\t\\\n")).toEqual([
      ["\0\b\n\r\t\x1a\\a'", null, 'N ', 'NULL', '\n', '\n'],
    ]);
  });

  it('has quotes, other delimiters and escapes, or none', () => {
    const quoted = findFormat('tab', { quote: '"', delimiter: ',' });
    expect(readValues(quoted, '"a,\n\\"",b"c,\\N,"\\N",\\"\n')).toEqual([
      ['a,\n"', 'b"c', null, 'N', '"'],
    ]);
    const other = findFormat('tab', { escape: '^' });
    expect(readValues(other, '^N\t^^\\N^\t^0\n')).toEqual([[null, '^\\N\t\0']]);
    expect(other.nuls.map(String)).toEqual(['^0']);
    const none = findFormat('tab', { escape: '' });
    expect(readValues(none, '\\\t\\N\r\n')).toEqual([['\\', '\\N\r']]);
    expect([none.isLineBased, none.nuls, none.quote('\\xED')]).toEqual([true, [], '\\xED']);
  });

  it('escapes what a repair inserts', () => {
    expect([format.quote('\\xED'), format.isLineBased, format.isOpaqueAscii]).toEqual([
      '\\\\xED',
      false,
      true,
    ]);
    expect(format.nuls.map(String)).toEqual(['\\0']);
    expect(findFormat('tab', { quote: '"' }).quote('"\\')).toBe('\\"\\\\');
    expect(findFormat('tab', { quote: '"', escape: '' }).quote('"\\')).toBe('""\\');
  });

  it('does not know which columns are text, unless it is told', () => {
    const kinds = (options: FormatOptions) =>
      readAll(findFormat('tab', options), `1\t${cesu.emoji}\t\\N\n`)[0]?.fields.map(
        ({ kind }) => kind,
      );
    expect(kinds({})).toEqual(['unknown', 'unknown', 'opaque']);
    expect(kinds({ columns: 'a,b,c' })).toEqual(['unknown', 'unknown', 'opaque']);
    expect(kinds({ assume: 'text' })).toEqual(['text', 'text', 'opaque']);
    expect(kinds({ assume: 'binary' })).toEqual(['opaque', 'opaque', 'opaque']);
    expect(kinds({ binary: '2' })).toEqual(['text', 'opaque', 'opaque']);
    expect(kinds({ columns: 'a,b,c', binary: 'a' })).toEqual(['opaque', 'text', 'opaque']);
    expect(kinds({ binary: '2', assume: 'binary' })).toEqual(['opaque', 'opaque', 'opaque']);
    expect(findFormat('tab').isOpaqueAscii).toBe(false);
  });

  it('reports an unterminated quoted field', () => {
    const quoted = findFormat('tab', { quote: '"' });
    expect(errorOf(quoted, 'a\\\nb\t"c\\"\n')).toBe(
      'FILE:2: unterminated quoted field; close the quote, or set `quote`',
    );
    expect(errorOf(quoted, '1\n"a\n\\b\n')).toBe(
      'FILE:2: unterminated quoted field; close the quote, or set `quote`',
    );
    expect(errorOf(quoted, '"a\\')).toBe(
      'FILE:1: unterminated quoted field; close the quote, or set `quote`',
    );
    expect(errorOf(quoted, '"a"\\\n')).toMatch('FILE:1: text follows the closing quote');
  });

  it('reads what was written, however it is cut', () => {
    const table = fc.array(fc.array(fc.option(cell), { minLength: 1, maxLength: 4 }), {
      maxLength: 12,
    });
    const dialect = fc.constantFrom(
      { delimiter: '\t', quote: '', escape: '\\' },
      { delimiter: ',', quote: '"', escape: '\\' },
      { delimiter: '|', quote: "'", escape: '^' },
      { delimiter: '||', quote: '"', escape: '\\' },
      { delimiter: '\t|\t', quote: '', escape: '\\' },
    );
    fc.assert(
      fc.property(table, dialect, sizes, fc.boolean(), (table, dialect, cuts, isCsv) => {
        const { delimiter, quote, escape: escaper } = dialect;
        const of = isCsv
          ? findFormat('csv', { ...dialect, header: false })
          : findFormat('tab', { ...dialect, assume: 'text' });
        const special = quote ? [escaper, quote] : [escaper, '\n', ...delimiter];
        const spell = (text: string) =>
          Array.from(text, (c) => {
            if (c === '\0') return `${escaper}0`;
            return special.includes(c) || (isCsv && c === '\r') ? escaper + c : c;
          }).join('');
        const fields = table.map((row) =>
          row.map((text) => (text === null ? `${escaper}N` : quote + spell(text) + quote)),
        );
        const text = fields.map((row) => `${row.join(delimiter)}\n`).join('');
        // It would not be part of the first field.
        fc.pre(!text.startsWith('\xef\xbb\xbf'));
        expectSameCut(of, text, cuts);
        expect(readValues(of, text)).toEqual(table);
      }),
      { numRuns: scale(300) },
    );
  });
});

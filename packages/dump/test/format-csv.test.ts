import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale } from '../../../tooling/tiers/tier.js';
import type { FormatOptions } from '../src/format/format.js';
import { findFormat } from '../src/format/registry.js';
import {
  bytesOf,
  catchError,
  cell,
  cesu,
  errorOf,
  expectSameCut,
  readAll,
  readCut,
  readRows,
  sizes,
} from './format-reading.js';
import { chooseByDay } from './use-folder.js';

const format = findFormat('csv');
const bare = findFormat('csv', { header: false });

describe('csv', () => {
  it('names columns as the header does', () => {
    const pieces = readAll(format, `id,"na""me",${cesu.emoji},\xff\r\n1,x,y,z,more\r\n`);
    expect(pieces.map(({ kind, number, line }) => [kind, number, line])).toEqual([
      ['header', 0, 1],
      ['record', 1, 2],
    ]);
    expect(pieces[0]?.fields.map(({ text }) => text)).toEqual(['id', 'na""me', cesu.emoji, '\xff']);
    expect(pieces[1]?.fields).toEqual([
      { text: '1', kind: 'text', column: 'id', number: 1 },
      { text: 'x', kind: 'text', column: 'na"me', number: 2 },
      { text: 'y', kind: 'text', column: '\u{1f600}', number: 3 },
      { text: 'z', kind: 'text', column: '\ufffd', number: 4 },
      { text: 'more', kind: 'text', column: undefined, number: 5 },
    ]);
  });

  it('prefers the names of `columns`', () => {
    const named = findFormat('csv', { columns: ['a'] });
    const [header, record] = readAll(named, 'x\ny\n');
    expect([header?.kind, record?.fields[0]?.column]).toEqual(['header', 'a']);
    const headless = findFormat('csv', { columns: ['a'], header: false });
    expect(readAll(headless, 'x\n')[0]).toMatchObject({
      kind: 'record',
      fields: [{ column: 'a' }],
    });
  });

  it('reads quoted fields of several lines', () => {
    const text = 'a,"b\n""c"",\r\nd",e\r\n"","""",f\n';
    expect(readRows(bare, text)).toEqual([
      ['a', 'b\n""c"",\r\nd', 'e'],
      ['', '""', 'f'],
    ]);
    expect(readAll(bare, text).map(({ line, number }) => [line, number])).toEqual([
      [1, 1],
      [4, 2],
    ]);
  });

  it('has a field between any two delimiters', () => {
    expect(readRows(bare, ',\n\n,,')).toEqual([['', ''], [''], ['', '', '']]);
    expect(readRows(bare, 'a,')).toEqual([['a', '']]);
  });

  it('needs no line feed at the end', () => {
    for (const end of ['', '\n', '\r\n', '\r'])
      expect(readRows(bare, `a,"b"${end}`)).toEqual([['a', 'b']]);
    expect(readRows(bare, 'a\r')).toEqual([['a\r']]);
  });

  it('keeps a quote in a field without quotes', () => {
    expect(readRows(bare, '5" disk,a"b"\n "x",y\n')).toEqual([
      ['5" disk', 'a"b"'],
      [' "x"', 'y'],
    ]);
  });

  it('accepts any delimiter and quote', () => {
    const other = findFormat('csv', { delimiter: ';', quote: "'", header: false });
    expect(readRows(other, `'a;''\n';b,"c"\n`)).toEqual([["a;''\n", 'b,"c"']]);
    const none = findFormat('csv', { quote: '', header: false });
    expect(readRows(none, '"a,b"\n')).toEqual([['"a', 'b"']]);
    expect([none.isLineBased, bare.isLineBased]).toEqual([true, false]);
    expect(findFormat('csv', { quote: '' }).isLineBased).toBe(false);
  });

  it('finds delimiters of several bytes where a part of one comes before', () => {
    const strings = (letters: string, length: number): string[] =>
      length === 0
        ? ['']
        : strings(letters, length - 1).flatMap((rest) => [...letters].map((c) => rest + c));
    const delimiters = [2, 3, 4].flatMap((length) => strings('|~', length));
    for (const delimiter of chooseByDay(delimiters, 5)) {
      const format = findFormat('csv', { delimiter, quote: '', header: false });
      for (const text of strings('|~x', 5)) {
        expect(readRows(format, text), `${delimiter} in ${text}`).toEqual([text.split(delimiter)]);
      }
      const quoted = findFormat('csv', { delimiter, header: false });
      for (const text of strings('|~x', 4)) {
        const isField = text.split(delimiter).at(-1) === '';
        const lines = readCut(quoted, bytesOf(`${text}"\nx"\n`), [1]).map(({ line }) => line);
        expect(lines, `${delimiter} in ${text}`).toEqual(isField ? [1] : [1, 2]);
      }
    }
  });

  it('accepts delimiters of several bytes', () => {
    const rows = (delimiter: string, text: string, more = {}) =>
      readRows(findFormat('csv', { delimiter, header: false, ...more }), text);
    expect(rows('||', 'a||"b||""c"||d|e|||f\n')).toEqual([['a', 'b||""c', 'd|e', '|f']]);
    expect(rows('§', 'a\xc2\xa7"b"\xc2\xa7\xc2\xa3\r\n')).toEqual([['a', 'b', '\xc2\xa3']]);
    expect(rows('::', 'a:"b:\nx::"c\n"\n')).toEqual([['a:"b:'], ['x', 'c\n']]);
    expect(rows('||', 'a\\||b||c|\\|||"d\\"||"\n', { escape: '\\' })).toEqual([
      ['a\\||b', 'c|\\|', 'd\\"||'],
    ]);
    expect(rows('aab|', 'xaaab|y\n')).toEqual([['xa', 'y']]);
    const format = findFormat('csv', { delimiter: '||', header: false });
    const sentence =
      'text follows the closing quote of a field; double the quotes inside it, or set `quote`, `delimiter` or `escape`';
    for (const text of ['"a"|b\n', '"a"|', '"a"|"b"\n', 'x\n"a"|\n']) {
      const line = text.startsWith('x') ? 2 : 1;
      expect(errorOf(format, text)).toBe(`FILE:${line}: ${sentence}`);
    }
  });

  it('has an escape character within quotes only, as COPY', () => {
    const format = findFormat('csv', { quotedEscape: '\\', header: false });
    const text = 'a\\,"b\\"\\\\,"\nc\\\n"d\n\\\\",\\x00ff\n';
    expect(readRows(format, text)).toEqual([['a\\', 'b\\"\\\\,'], ['c\\'], ['d\n\\\\', '\\x00ff']]);
    expectSameCut(format, text, [1]);
    const bytes = bytesOf(text);
    for (const { number, fields } of format.createReader().read(bytes)) {
      if (number !== 1) continue;
      const values = fields.map((field) => Buffer.from(format.readValue(bytes, field)).toString());
      expect(values).toEqual(['a\\', 'b"\\,']);
      expect(fields.map(({ escapes }) => format.quote('\\uD83D', escapes))).toEqual([
        '\\uD83D',
        '\\\\uD83D',
      ]);
    }
    expect(format.nuls).toEqual([]);
    expect(() => findFormat('csv', { quotedEscape: '^', escape: '^' })).toThrow(
      '`escape` and `quotedEscape` cannot be combined',
    );
  });

  it('copies binary columns as they are', () => {
    const kinds = (options: FormatOptions, text: string) =>
      readAll(findFormat('csv', options), text).map(({ kind, fields }) => [
        kind,
        ...fields.map((field) => field.kind),
      ]);
    expect(kinds({ binary: 'b,3' }, 'a,b,c,d\nx,y,"z",t\n')).toEqual([
      ['header', 'text', 'text', 'text', 'text'],
      ['record', 'text', 'opaque', 'opaque', 'text'],
    ]);
    const headless = { header: false, columns: ['x', 'y'], binary: ['y'] };
    expect(kinds(headless, '1,2\n')).toEqual([['record', 'text', 'opaque']]);
    expect(findFormat('csv', { binary: '1' }).isOpaqueAscii).toBe(false);
    expect(errorOf(findFormat('csv', { binary: 'c' }), 'a,b\n1,2\n')).toBe(
      'FILE:1: `binary` "c": no such column in the header; use a name in it, or a number',
    );
    const third = findFormat('csv', { binary: '3' });
    expect(catchError(() => readAll(third, 'a,b,c\n1,2\n')).message).toBe(
      'line 2: record has 2 fields, but `binary` names column 3; check `delimiter` and `binary`',
    );
  });

  it('tells what would end a field without quotes', () => {
    const format = findFormat('csv', { delimiter: '§', header: false });
    const bytes = bytesOf('a\xa7,"b\xa7"\xc2\xa7"b\xa7"\n');
    const [piece] = [...format.createReader().read(bytes)];
    const breaks = (text: string, i: number) => {
      const repair = { status: 'changed', bytes: bytesOf(text), findings: [] } as const;
      return piece?.layout?.breaks(bytes, piece, piece.fields[i] as never, repair);
    };
    expect(breaks('a\xc2\xa7', 0)).toBe(true);
    expect(breaks('a\n', 0)).toBe(true);
    expect(breaks('a\xc2\xa6', 0)).toBe(false);
    expect(breaks('b\xc2\xa7', 1)).toBe(false);
  });

  it('has tabs in tsv', () => {
    const tsv = findFormat('tsv', { header: false });
    expect(readRows(tsv, 'a,b\t"c\t\nd"\n')).toEqual([['a,b', 'c\t\nd']]);
  });

  it('leaves hexadecimal bytea unchanged', () => {
    const kinds = readAll(bare, '\\x00ff,"\\xAB",\\xno,\\x,x\n')[0]?.fields.map(({ kind }) => kind);
    expect(kinds).toEqual(['opaque', 'opaque', 'text', 'opaque', 'text']);
  });

  it('keeps U+FEFF at the start apart from a quote after it', () => {
    const pieces = readAll(format, '\xef\xbb\xbf"a\nb",c\n1,2\n');
    expect(pieces.map(({ kind, text, line }) => [kind, text, line])).toEqual([
      ['other', '\xef\xbb\xbf', 1],
      ['header', '"a\nb",c\n', 1],
      ['record', '1,2\n', 3],
    ]);
    expect(pieces[2]?.fields.map(({ column }) => column)).toEqual(['a\nb', 'c']);
    expect(readAll(format, '\xef\xbb\xbf')).toHaveLength(1);
  });

  it('reports where an unterminated quoted field begins', () => {
    expect(errorOf(bare, 'a\n"b\nc",x,"d\ne\n')).toBe(
      'FILE:3: unterminated quoted field; close the quote, or set `quote`',
    );
  });

  it('reports text after a closing quote', () => {
    const sentence =
      'text follows the closing quote of a field; double the quotes inside it, or set `quote`, `delimiter` or `escape`';
    expect(errorOf(bare, 'a\n"b\nc" ,x\n')).toBe(`FILE:3: ${sentence}`);
    expect(errorOf(bare, '"b"\rx\n')).toBe(`FILE:1: ${sentence}`);
  });

  it('reads an escape character inside and outside of quotes', () => {
    const escaped = findFormat('csv', { escape: '\\', header: false });
    const text = '"a\\"b""c\\\\",d\\,e\\\nf,\\N,"\\N",\\0\\n,\\"g"\n';
    expect(readRows(escaped, text)).toEqual([
      ['a\\"b""c\\\\', 'd\\,e\\\nf', '\\N', '\\N', '\\0\\n', '\\"g"'],
    ]);
    const bytes = bytesOf(text);
    const [piece] = escaped.createReader().read(bytes);
    const fields = piece?.fields ?? [];
    expect(fields.map(({ kind }) => kind)).toEqual([
      ...['text', 'text', 'opaque'],
      ...['text', 'text', 'text'],
    ]);
    expect(fields.map((field) => Buffer.from(escaped.readValue(bytes, field)).toString())).toEqual([
      ...['a"b"c\\', 'd,e\nf', '\\N'],
      ...['N', '\0n', '"g"'],
    ]);
    expect(escaped.nuls.map(String)).toEqual(['\\0']);
    expect(escaped.quote('"\\xED')).toBe('\\"\\\\xED');
    expect(readRows(findFormat('csv', { escape: '\\' }), 'a\\\nb\nc\n')).toEqual([['c']]);
  });

  it('has no escapes if the escape character is the quote', () => {
    const doubled = findFormat('csv', { escape: '"', header: false });
    expect(readRows(doubled, '"a""\\",\\N\n')).toEqual([['a""\\', '\\N']]);
    expect([doubled.nuls, doubled.quote('"')]).toEqual([[], '""']);
  });

  it('doubles quotes', () => {
    expect([bare.quote('"\\xED"'), bare.nuls]).toEqual(['""\\xED""', []]);
  });

  it('reads what was written, however it is cut', () => {
    const dialect = fc.record({
      delimiter: fc.constantFrom(',', ';', '\t', '|', '\x01', '::', '--|', '--#-'),
      quote: fc.constantFrom('"', "'"),
      header: fc.boolean(),
    });
    const field = fc.record({ text: cell, quoted: fc.boolean() });
    const rows = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 12 });
    const end = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(rows, dialect, end, sizes, fc.boolean(), (table, dialect, end, cuts, isEnded) => {
        const { delimiter, quote, header } = dialect;
        const format = findFormat('csv', dialect);
        // With a part of a delimiter at its end, a field would end earlier.
        const isSpecial = (text: string) =>
          [...delimiter, '\r', '\n'].some((c) => text.includes(c)) || text.startsWith(quote);
        const fields = table.map((row) =>
          row.map(({ text, quoted }, i) => {
            // At the start of the file it would not be part of the field.
            const needs = quoted || isSpecial(text) || (i === 0 && text.startsWith('\xef'));
            return needs ? text.replaceAll(quote, quote + quote) : text;
          }),
        );
        let text = table
          .map((row, r) =>
            row
              .map(({ text, quoted }, i) => {
                const needs = quoted || isSpecial(text) || (i === 0 && text.startsWith('\xef'));
                return needs ? quote + fields[r]?.[i] + quote : text;
              })
              .join(delimiter),
          )
          .join(end);
        if (isEnded && table.length > 0) text += end;
        // Nothing after the last line feed is not a record.
        const rows = !isEnded && /(^|\n)$/.test(text) ? fields.slice(0, -1) : fields;
        expectSameCut(format, text, cuts);
        expect(readRows(format, text)).toEqual(header ? rows.slice(1) : rows);
      }),
      { numRuns: scale(300) },
    );
  });

  it('reads what csv-parse reads', () => {
    const options = {
      encoding: 'latin1' as const,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n'],
    };
    const theirs = (text: string): string[][] | undefined => {
      try {
        return parse(Buffer.from(text, 'latin1'), options);
      } catch {
        return undefined;
      }
    };
    // No U+0000: csv-parse accepts it after a closing quote.
    const soup = fc.array(
      fc.constantFrom('"', '"', '""', ',', '\n', '\r\n', '\r', 'a', ' ', cesu.emoji, '\xff'),
      { maxLength: 14 },
    );
    let count = 0;
    fc.assert(
      fc.property(soup, (parts) => {
        const text = parts.join('');
        const table = theirs(text);
        // It refuses quotes within a field.
        if (!table) return;
        count++;
        const rows = readAll(bare, text).map(({ fields, text: record }) =>
          fields.map((field) => {
            const isQuoted = record.includes(`"${field.text}"`);
            return isQuoted ? field.text.replaceAll('""', '"') : field.text;
          }),
        );
        expect(rows).toEqual(table);
      }),
      { numRuns: scale(5000) },
    );
    expect(count).toBeGreaterThan(scale(500));
  });
});

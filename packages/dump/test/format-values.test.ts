import { describe, expect, it } from 'vitest';
import type { FormatOptions } from '../src/format/format.js';
import { findFormat } from '../src/format/registry.js';
import { bytesOf } from './format-reading.js';

/** The values of the first record, as UTF-8. */
function valuesOf(name: string, text: string, options?: FormatOptions): string[] {
  const isSql = ['mysqldump', 'pg_dump'].includes(name);
  const format = findFormat(name, isSql ? { assume: 'text', ...options } : options);
  const bytes = Buffer.from(text);
  for (const { kind, fields } of format.createReader().read(bytes)) {
    if (kind !== 'record') continue;
    return fields.map((field) => Buffer.from(format.readValue(bytes, field)).toString());
  }
  return [];
}

describe('readValue', () => {
  it.each([
    ['lines', 'a\\n""', ['a\\n""']],
    ['jsonl', '"a\\n\\"\\\\\\/"', ['a\n"\\/']],
    ['jsonl', '"\\u0041\\u00e9\\ud83d\\ude00"', ['Aé😀']],
    ['copy', '\\t\\v\\101\\x41\\x4g\\.\t\\N', ['\t\vAA\u0004g.', '\\N']],
    [
      'mysqldump',
      "INSERT INTO t VALUES ('\\0\\Z\\%\\'', 'it''s', 0x5c);",
      ["\0\u001a%'", "it's", '0x5c'],
    ],
    ['pg_dump', "INSERT INTO t VALUES ('it''s\\n', E'\\n', $$''\\$$);", ["it's\\n", '\n', "''\\"]],
    ['pg_dump', 'COPY t FROM stdin;\na\\tb\n\\.\n', ['a\tb']],
    ['csv', 'h\n"a""b\\n",c""d\n', ['a"b\\n', 'c""d']],
    ['tab', "\\0\\Z\\%\\'\t\\", ["\0\u001a%'", '\\']],
  ])('of %s: %s', (name, text, values) => {
    expect(valuesOf(name, text)).toEqual(values);
  });

  it('keeps an unpaired surrogate', () => {
    const format = findFormat('jsonl');
    const bytes = bytesOf('"\\ud83d!"');
    const [piece] = format.createReader().read(bytes);
    const value = format.readValue(bytes, piece?.fields[0] as never);
    expect(Buffer.from(value).toString('hex')).toBe('eda0bd21');
  });

  it('reads what a field has become', () => {
    const format = findFormat('csv', { header: false });
    const bytes = bytesOf('"a"\n');
    const [piece] = format.createReader().read(bytes);
    const value = format.readValue(bytes, piece?.fields[0] as never, bytesOf('b""'));
    expect(Buffer.from(value).toString()).toBe('b"');
  });
});

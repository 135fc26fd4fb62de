import { describe, expect, it } from 'vitest';
import { InputError, UsageError } from '../src/error.js';
import { FormatError } from '../src/format/format-error.js';
import { recognizeFormat } from '../src/format/recognize.js';
import { findFormat, formatNames, formats } from '../src/format/registry.js';
import { wordPhrase } from '../src/phrase.js';
import { bytesOf, readRows } from './format-reading.js';

describe('formats', () => {
  it('have names, summaries and options that fit one line of help', () => {
    for (const { name, summary, options } of formats) {
      expect(summary.length, name).toBeLessThanOrEqual(60);
      for (const { help } of options) expect(wordPhrase(help).length).toBeLessThanOrEqual(60);
    }
  });

  it('say in one line what they are, and what their options are for', () => {
    const help = formats.map(({ name, summary, options }) => [
      `${name}: ${summary}`,
      ...options.map(
        ({ name, value = 'true or false', help }) => `${name}: ${value}: ${wordPhrase(help)}`,
      ),
    ]);
    expect(help).toMatchSnapshot();
  });

  it('share options of one name', () => {
    const known = new Map<string, unknown>();
    for (const option of formats.flatMap(({ options }) => options)) {
      expect(known.get(option.name) ?? option).toBe(option);
      known.set(option.name, option);
    }
  });
});

describe('findFormat', () => {
  it.each(formatNames)('finds %s', (name) => {
    expect(findFormat(name).name).toBe(name);
  });

  it.each([
    [
      'xml',
      {},
      'unknown format "xml"; expected lines, copy, csv, tsv, tab, json, jsonl, mysqldump, pg_dump, sqlite',
    ],
    [
      'jsonl',
      { delimiter: ',' },
      "`delimiter` applies to copy, csv, tsv, tab; remove it for `format: 'jsonl'`",
    ],
    ['copy', { quote: '"' }, "`quote` applies to csv, tsv, tab; remove it for `format: 'copy'`"],
    ['lines', { header: false }, "`header` applies to csv, tsv; remove it for `format: 'lines'`"],
    [
      'pg_dump',
      { columns: ['a'] },
      "`columns` applies to copy, csv, tsv, tab; remove it for `format: 'pg_dump'`",
    ],
    ['copy', { escape: '^' }, "`escape` applies to csv, tsv, tab; remove it for `format: 'copy'`"],
    ['csv', { separator: ',' }, 'unknown format option "separator"'],
    ['csv', { delimiter: '"' }, '`delimiter` and `quote` must differ'],
    ['csv', { delimiter: ';', escape: ';' }, '`delimiter` and `escape` must differ'],
    [
      'copy',
      { delimiter: '§' },
      '`delimiter` "§": expected one ASCII character, such as "," or "\\t" or "\\x01"',
    ],
    [
      'csv',
      { quote: '§' },
      '`quote` "§": expected one ASCII character, such as "," or "\\t" or "\\x01"',
    ],
    [
      'csv',
      { delimiter: '\u{1f600}' },
      '`delimiter` "\u{1f600}": characters above U+FFFF have different bytes in other encodings',
    ],
    ['csv', { delimiter: '|\n' }, '`delimiter` "|\\n": line ends end records'],
    ['csv', { delimiter: '\\x00' }, '`delimiter` "\\\\x00": U+0000 is not supported'],
    [
      'csv',
      { delimiter: '\\xA7' },
      '`delimiter` "\\\\xA7": expected characters, or bytes that are UTF-8',
    ],
    [
      'csv',
      { delimiter: 'x1' },
      '`delimiter` "x1": escapes consist of letters, digits and backslashes; expected another character',
    ],
    ['csv', { delimiter: '|"' }, '`delimiter` and `quote` must differ'],
    ['tab', { delimiter: '|\\' }, '`delimiter` and `escape` must differ'],
    [
      'csv',
      { binary: 'a', header: false },
      '`binary` "a": no such column; list all columns with `columns`, or use its number',
    ],
    [
      'copy',
      { binary: 'b', columns: 'a' },
      '`binary` "b": no such column; list all columns with `columns`, or use its number',
    ],
    [
      'csv',
      { binary: '1,' },
      '`binary` "1,": expected column names separated by commas, as in id,name',
    ],
    ['tab', { assume: 'blob' }, '`assume` "blob": expected text or binary'],
    [
      'csv',
      { assume: 'text' },
      "`assume` applies to tab, mysqldump, pg_dump; remove it for `format: 'csv'`",
    ],
    [
      'csv',
      { quote: '\n' },
      '`quote` "\\n": expected one ASCII character, such as "," or "\\t" or "\\x01"',
    ],
    [
      'csv',
      { quote: true },
      '`quote` true: expected one ASCII character, such as "," or "\\t" or "\\x01"',
    ],
    [
      'copy',
      { delimiter: '\\' },
      '`delimiter` "\\\\": escapes consist of letters, digits and backslashes; expected another character',
    ],
    ['csv', { delimiter: '' }, '`delimiter` "": expected another character'],
    [
      'csv',
      { columns: 'a,,b' },
      '`columns` "a,,b": expected column names separated by commas, as in id,name',
    ],
    [
      'csv',
      { columns: true },
      '`columns` true: expected column names separated by commas, as in id,name',
    ],
    ['csv', { header: 'no' }, '`header`: expected true or false'],
  ])('refuses %s with %j', (name, options, message) => {
    const act = () => findFormat(name, options);
    expect(act).toThrow(UsageError);
    expect(act).toThrow(expect.objectContaining({ message }));
  });

  it('accepts a switch that is on, and options without a value, for any format', () => {
    expect(findFormat('lines', { header: true, quote: undefined }).name).toBe('lines');
  });

  it('accepts bytes as they are spelled', () => {
    for (const [delimiter, byte] of [
      ['\\t', '\t'],
      ['\\t|', '\t|'],
      ['::', '::'],
      ['§', '\xc2\xa7'],
      ['\\xC2\\xA7', '\xc2\xa7'],
      ['\t', '\t'],
      ['\\x01', '\x01'],
      ['\\x1F', '\x1f'],
      ['|', '|'],
    ] as const) {
      const format = findFormat('csv', { delimiter, header: false });
      expect(readRows(format, `a${byte}b\n`)).toEqual([['a', 'b']]);
    }
  });

  it('accepts names as a list or a text', () => {
    for (const columns of [['a', 'b'], 'a, b']) {
      const format = findFormat('copy', { columns });
      const [piece] = [...format.createReader().read(bytesOf('1\t2\n'))];
      expect(piece?.fields.map(({ column }) => column)).toEqual(['a', 'b']);
    }
  });
});

describe('recognizeFormat', () => {
  const mark = '\xef\xbb\xbf';

  it.each([
    ['mysqldump', '-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)\n--\n'],
    ['mysqldump', '-- MariaDB dump 10.19  Distrib 10.11.6-MariaDB\n'],
    ['mysqldump', '/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19\n'],
    ['mysqldump', '-- phpMyAdmin SQL Dump\n\n/*!40101 SET NAMES utf8mb4 */;\n'],
    ['mysqldump', '/*!40101 SET @saved_cs_client     = @@character_set_client */;\n'],
    ['pg_dump', '--\n-- PostgreSQL database dump\n--\n\n\\restrict x\n'],
    ['pg_dump', '--\n-- PostgreSQL database cluster dump\n--\n'],
    ['jsonl', '{"a":"\xed\xa0\xbd"}\n{"a":1}\n'],
    ['jsonl', '{}\r\n'],
    ['json', '[\n  {\n    "a": 1'],
    ['json', '[{"a":1},\n{"a":2}]\n'],
    ['json', '[{}]'],
    ['sqlite', 'PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n'],
    [undefined, '[{"a":1}]\n[{"a":2}]\n'],
    ['jsonl', '{"a":"a line that goes on'],
    [undefined, '{\n  "a": 1\n}\n'],
    [undefined, '{\\rtf1'],
    [undefined, '{a:1}\n'],
    [undefined, '[1]\n'],
    [undefined, '-- a comment\nSELECT 1;\n'],
    [undefined, 'id,name\n'],
    [undefined, ''],
  ])('finds %s in %j', (name, head) => {
    expect(recognizeFormat(bytesOf(head))).toBe(name);
    expect(recognizeFormat(bytesOf(mark + head))).toBe(name);
  });
});

describe('FormatError', () => {
  it('tells the place, and the file', () => {
    const error = new FormatError('it is wrong', 7, 3);
    expect(error.message).toBe('line 7, column 3: it is wrong');
    const named = error.in('a.csv');
    expect(named).toBeInstanceOf(InputError);
    expect(named.message).toBe('a.csv:7: byte 3: it is wrong');
  });
});

/** Recognises formats by the first bytes of a file. Runs in browsers, too. */
import { type JsonHandler, parseJson } from '@utf8/repair';

const LF = 0x0a;

const nothing = (): void => {};
const IGNORE: JsonHandler = { open: nothing, close: nothing, key: nothing, string: nothing };

/** The beginning of a file: its text, one UTF-16 code unit for each byte, and its bytes. */
type Recognize = (text: string, bytes: Uint8Array) => boolean;

/** Tests for beginnings that only files of one format have; formats that resemble others are not here. */
const formats: Readonly<Record<string, Recognize>> = {
  /** An array of objects, whose first line is not one of many arrays. */
  json(text, bytes) {
    if (!/^\s*\[\s*\{\s*["}]/.test(text)) return false;
    const start = text.indexOf('[');
    const feed = bytes.indexOf(LF, start);
    if (feed === -1 || text.slice(feed).trim() === '') return true;
    return parseJson(bytes, IGNORE, { start, end: feed, allowsLines: false }) !== undefined;
  },
  /** The first line is an object, or the start of one if the line continues. */
  jsonl(text, bytes) {
    if (!text.startsWith('{')) return false;
    const feed = bytes.indexOf(LF);
    if (feed === -1) return /^\{\s*"/.test(text);
    return !parseJson(bytes, IGNORE, { end: feed, allowsLines: false });
  },
  // Messages of mysqldump to a terminal precede the dump if both streams went to one file. mydumper begins
  // with conditional comments.
  mysqldump: (text) =>
    /^(?:(?:mysqldump|mariadb-dump): .*\n)*(?:-- (?:MySQL|MariaDB) dump |-- phpMyAdmin SQL Dump|\/\*M!999999\\- |(?:--.*\n|\s)*\/\*!\d{5,6} SET )/.test(
      text,
    ),
  pg_dump: (text) =>
    /^(?:\\restrict .*\n|--.*\n|\s)*-- PostgreSQL database (?:cluster )?dump\r?\n/.test(text),
  sqlite: (text) => /^PRAGMA foreign_keys=OFF;\r?\n/.test(text),
};

/** The formats of programs that write dumps: their first lines are found in no other file. */
const DUMPS: ReadonlySet<string | undefined> = new Set(['mysqldump', 'pg_dump', 'sqlite']);

/** Number of bytes by which formats are told apart. */
export const TEXT_HEAD: number = 1 << 16;

/**
 * Finds the name of the format whose files alone begin with some bytes.
 *
 * @param head - The first bytes of a file, decompressed.
 * @returns One of `formatNames`; undefined if the file may be of several formats, or of none.
 * @example
 * ```ts
 * import { recognizeFormat } from '@utf8/dump/internal';
 *
 * recognizeFormat(new TextEncoder().encode('PRAGMA foreign_keys=OFF;\n')); // => 'sqlite'
 * recognizeFormat(new TextEncoder().encode('id,name\n')); // => undefined
 * ```
 */
export function recognizeFormat(head: Uint8Array): string | undefined {
  const bytes = withoutMark(head);
  const text = latin1(bytes);
  return Object.keys(formats).find((name) => formats[name]?.(text, bytes));
}

/** Returns the program whose dumps alone begin with some bytes. */
export function recognizeDump(head: Uint8Array): string | undefined {
  const name = recognizeFormat(head);
  return DUMPS.has(name) ? name : undefined;
}

const withoutMark = (head: Uint8Array): Uint8Array =>
  head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head;

/** The text of bytes, without U+FEFF, one UTF-16 code unit for each byte. */
export const textOf = (head: Uint8Array): string => latin1(withoutMark(head));

function latin1(bytes: Uint8Array): string {
  let text = '';
  // In parts, since a call has room for no more arguments.
  for (let i = 0; i < bytes.length; i += 4096) {
    text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  }
  return text;
}

/** Recognises formats by the first bytes of a file. Runs in browsers, too. */
import { type JsonHandler, parseJson } from '@utf8/repair';

const LF = 0x0a;

const nothing = (): void => {};
const IGNORE: JsonHandler = { open: nothing, close: nothing, key: nothing, string: nothing };

/** The beginning of a file: its text, one UTF-16 code unit for each byte, and its bytes. */
type Recognize = (text: string, bytes: Uint8Array) => boolean;

/** Whether a file begins as only files of a format do; formats that look like others are not here. */
const formats: Readonly<Record<string, Recognize>> = {
  /** An array of objects, whose first line is not one of many arrays. */
  json(text, bytes) {
    if (!/^\s*\[\s*\{\s*["}]/.test(text)) return false;
    const start = text.indexOf('[');
    const feed = bytes.indexOf(LF, start);
    if (feed === -1 || text.slice(feed).trim() === '') return true;
    return parseJson(bytes, start, feed, IGNORE, { allowsLines: false }) !== undefined;
  },
  /** The first line is an object, or the start of one if the line continues. */
  jsonl(text, bytes) {
    if (!text.startsWith('{')) return false;
    const feed = bytes.indexOf(LF);
    if (feed === -1) return /^\{\s*"/.test(text);
    return !parseJson(bytes, 0, feed, IGNORE, { allowsLines: false });
  },
  mysqldump: (text) =>
    /^(?:-- (?:MySQL|MariaDB) dump |\/\*M!999999\\- |(?:--.*\n|\s)*\/\*!40101 SET (?:@\w+ *= *@@\w+|NAMES) )/.test(
      text,
    ),
  pg_dump: (text) =>
    /^(?:\\restrict .*\n|--.*\n|\s)*-- PostgreSQL database (?:cluster )?dump\r?\n/.test(text),
  sqlite: (text) => /^PRAGMA foreign_keys=OFF;\r?\n/.test(text),
};

/**
 * Finds the name of the format whose files alone begin with some bytes.
 *
 * @param head - The first bytes of a file, decompressed.
 * @returns One of `formatNames`; undefined if the file may be of several formats, or of none.
 * @example
 * ```ts
 * import { recognizeFormat } from '@utf8/dump';
 *
 * recognizeFormat(new TextEncoder().encode('PRAGMA foreign_keys=OFF;\n')); // => 'sqlite'
 * recognizeFormat(new TextEncoder().encode('id,name\n')); // => undefined
 * ```
 */
export function recognizeFormat(head: Uint8Array): string | undefined {
  const hasMark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  const bytes = hasMark ? head.subarray(3) : head;
  let text = '';
  // In parts, since a call has room for no more arguments.
  for (let i = 0; i < bytes.length; i += 4096) {
    text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  }
  return Object.keys(formats).find((name) => formats[name]?.(text, bytes));
}

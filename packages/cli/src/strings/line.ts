/** Strings as lines of text or of JSON. */
import { type Fault, formatBytes } from '@utf8/core';
import * as lenient from '@utf8/mutf8/data-input';
import { escapeReversibly, formatJson } from '../terminal/escape.js';
import type { FoundString, FoundText } from './found-string.js';
import { describeWhere, type FoundUse } from './where.js';

/** A class file, and where it was found. The names are those of the JSON objects. */
export interface Found {
  readonly file: string;
  /** Its path in the archive; null if the file is the class itself. */
  readonly entry: string | null;
  readonly bytes: Uint8Array;
}

/**
 * The name of an entry in messages. Escapes that of the entry so that it can be restored: two entries of a file
 * never have one name. That of the file is escaped when it is printed.
 */
export const nameEntry = (file: string, entry: string | null): string =>
  entry === null ? file : `${file}!/${escapeReversibly(entry)}`;

/** An error that did not stop the reading. */
export interface Trick {
  /** In bytes from the start of the entry; null for the entry as a whole. */
  readonly offset: number | null;
  readonly reason: string;
  readonly what: string;
}

/**
 * `demo.jar!/x/Main.class#12@345`: the index of a string in the pool, and the offset of its bytes. In a file with
 * Java's data, `level.dat#Level.Player.Name@345`.
 */
export const formatPlace = (
  { file, entry }: Found,
  { pool, index, path, offset }: FoundText,
): string => {
  const name = entry === null ? file : `${file}!/${entry}`;
  return `${escapeReversibly(name)}#${pool === undefined ? '' : `${pool}/`}${path === undefined ? index : escapeReversibly(path)}@${offset}`;
};

/** The text of a string, each byte of its faults as `\xHH`. */
export function spellText(
  { bytes, offset: start, string }: FoundText,
  faults: readonly Fault[],
): string {
  if (faults.length === 0) return escapeReversibly(string);
  let text = '';
  let end = 0;
  // Between faults it is well-formed for the version of the class, and so for the widest one.
  const escapeTo = (index: number): string =>
    escapeReversibly(lenient.decode(bytes.subarray(end, index)));
  for (const { offset, length } of faults) {
    text += escapeTo(offset - start);
    end = offset - start + length;
    for (const byte of bytes.subarray(end - length, end)) text += `\\x${formatBytes([byte])}`;
  }
  return text + escapeTo(bytes.length);
}

/** A string as JSON, with the same keys in each line; null if there is no value. */
export const formatString = (found: Found, string: FoundString): string =>
  formatJson({
    type: 'string',
    ...describePlace(found, string),
    kinds: string.kinds,
    ...describeText(string),
  });

/** A use of a string as JSON, likewise. */
export const formatUse = (found: Found, use: FoundUse, string: FoundText): string =>
  formatJson({
    type: 'use',
    ...describePlace(found, string),
    kind: use.kind,
    where: describeWhere(use),
    ...describeText(string),
  });

/** An error that did not stop the reading, as JSON. */
export const formatTrick = (file: string, entry: string | null, trick: Trick): string =>
  formatJson({ type: 'trick', file, entry, ...trick });

/** Only strings of resources have a pool, and only those of files with Java's data a path. */
const describePlace = (
  { file, entry }: Found,
  { pool, index, path, offset }: FoundText,
): object => ({
  file,
  entry,
  pool,
  index,
  path,
  offset,
});

function describeText({ bytes, string, fault }: FoundText): object {
  const { buffer, byteOffset, length } = bytes;
  // `formatBytes` in a quarter of the time, since it runs on every byte here (Node 20).
  const hex = Buffer.from(buffer, byteOffset, length).toString('hex').toUpperCase();
  return {
    bytes: hex.replace(/..(?!$)/g, '$& '),
    string,
    fault: fault ? { offset: fault.offset, length: fault.length, reason: fault.reason } : null,
  };
}

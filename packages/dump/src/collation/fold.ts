/**
 * Folds of texts under a collation of MySQL, MariaDB, PostgreSQL or SQLite. Texts that a server compares as
 * equal have the same fold. The reverse is true of most texts: a fold may also equate texts that differ for
 * the server, so that a key is reported needlessly, but never the opposite.
 */
import * as recorded from './recorded.js';
import { languages as languages0900 } from './recorded-mysql.js';
import { foldGeneral, foldSimple, lower } from './simple.js';

/** Returns text that is the same for all texts that are equal under a collation. */
export type Fold = (text: string) => string;

type Table = ReadonlyMap<string, string>;

const folds = new Map<string, Fold | undefined>();

/**
 * Finds the fold of a collation.
 *
 * @param name - As the server calls it, such as `utf8mb4_unicode_ci`, `NOCASE` or `C`; `icu` stands for any
 *   collation of PostgreSQL that is not deterministic.
 * @returns Undefined if only the same bytes are equal.
 */
export function findFold(name: string): Fold | undefined {
  const key = name.toLowerCase();
  if (!folds.has(key)) folds.set(key, createFold(key));
  return folds.get(key);
}

function createFold(name: string): Fold | undefined {
  if (/^(binary|c|posix|c[._]utf-?8|ucs_basic)$/.test(name)) return undefined;
  if (name === 'rtrim') return strip;
  if (name === 'nocase') return (text) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
  if (name === 'citext') return lower;
  // Any attribute may be set, such as one that skips punctuation.
  if (name === 'icu') return (text) => foldCoarse(text).replace(/[\p{P}\p{S}\p{Z}]+/gu, '');
  // Only UCA 9.0 does not pad without saying so.
  const isPadded = !/nopad|_0900_/.test(name);
  if (/_bin$/.test(name)) return isPadded ? strip : undefined;
  const fold = findUnpadded(name);
  return isPadded ? (text) => strip(fold(text)) : fold;
}

/** See https://dev.mysql.com/doc/refman/8.4/en/charset-binary-collations.html for spaces at the end. */
const strip: Fold = (text) => text.replace(/(?<! ) +$/, '');

function findUnpadded(name: string): Fold {
  const [, , own = /^uca1400_/.test(name) ? name : undefined] =
    /^(utf8|utf8mb[34]|ucs2|utf16|utf16le|utf32)_(.+)$/.exec(name) ?? [];
  if (own === undefined) return findLegacy(name);
  const [, rest = own, accents, ending] = /^(.*?)_?(?:(a[is])_)?(c[is])(?:_ks)?$/.exec(own) ?? [];
  const words = rest.split('_').filter((word) => !/^(nopad|w2|mysql\d+)$/.test(word));
  const stated = words.find((word) => /^(520|0900|uca1400)$/.test(word));
  const language = words.filter((word) => word !== stated).join('_');
  // Its name does not say so.
  const version = language === 'myanmar' ? '520' : stated;
  if (language === 'general') return foldNarrow(general(), (c) => foldGeneral(c));
  const tailoring = findTailoring(language, version);
  if (version === undefined) {
    return foldNarrow(uca400(), (c) => simple(c, uca400()), tailoring);
  }
  const fold = foldWide(tailoring, version === '0900');
  // Case that counts where accents do not is left out.
  return accents === 'as' ? addMarks(fold, ending === 'cs') : fold;
}

/** Adds characters that are also equal if accents count, or case too, as far as all versions agree. */
const addMarks =
  (fold: Fold, hasCase: boolean): Fold =>
  (text) => {
    // The accents of Devanagari equal those of Latin.
    const parts = text.normalize('NFKD').replaceAll('\u0953', '\u0300');
    const marks = parts.replaceAll('\u0954', '\u0301').match(MARKS) ?? [];
    const cases = hasCase ? Array.from(text.normalize('NFD').match(CASED) ?? [], caseOf) : [];
    return [fold(text), ...marks, ...cases].join('\0');
  };

/** The marks that no other mark equals, and no letter without a decomposition contains. */
const MARKS = /[\u0300-\u0304\u0306\u0307\u030a-\u030c]/g;

const CASED = /[A-Za-z\u0410-\u044f]/g;

const caseOf = (letter: string): string => (letter === letter.toLowerCase() ? 'l' : 'u');

/** UCA 5.2 and later. */
function foldWide(tailoring: Tailoring, isComposed: boolean): Fold {
  return (text) => {
    const whole = isComposed ? text.normalize('NFC') : text;
    let folded = '';
    for (const c of contract(whole, tailoring)) {
      folded += tailoring.single.get(c) ?? simple(c, uca());
    }
    return folded;
  };
}

/** Collations without characters above U+FFFF, which are all equal to U+FFFD. */
function foldNarrow(table: Table, other: (c: string) => string, tailoring = NONE): Fold {
  return (text) => {
    let folded = '';
    for (const c of contract(text, tailoring)) {
      const narrow = (c.codePointAt(0) as number) > 0xffff ? '\ufffd' : c;
      folded += tailoring.single.get(narrow) ?? table.get(narrow) ?? other(narrow);
    }
    return folded;
  };
}

const foldCoarse: Fold = (text) =>
  Array.from(text.normalize('NFC'), (c) => simple(c, uca())).join('');

/** Character sets other than Unicode: recorded if they have single bytes, otherwise as coarse as any. */
function findLegacy(name: string): Fold {
  const own = recorded.bytes[name.replace('_nopad', '')];
  if (own === undefined) return foldCoarse;
  const table = readTable(own);
  const other: Fold = name.endsWith('_cs') ? (c) => c : lower;
  return (text) => Array.from(text, (c) => table.get(c) ?? other(c)).join('');
}

/** A language: characters that compare as others, and sequences that compare as one. */
interface Tailoring {
  readonly single: Table;
  readonly sequences: RegExp | undefined;
}

const NONE: Tailoring = { single: new Map(), sequences: undefined };

function findTailoring(language: string, version: string | undefined): Tailoring {
  const source =
    version === undefined
      ? recorded.languages400
      : version === '0900'
        ? languages0900
        : recorded.languages;
  const own = source[language];
  if (own === undefined) return NONE;
  const single = readTable(own, ' ');
  const long = [...single.keys()].filter((key) => Array.from(key).length > 1);
  return {
    single,
    sequences: long.length > 0 ? new RegExp(`${long.join('|')}|.`, 'giu') : undefined,
  };
}

const contract = (text: string, { sequences }: Tailoring): Iterable<string> =>
  sequences
    ? (text.match(sequences) ?? []).map((part) => (part.length > 1 ? lower(part) : part))
    : text;

const isIgnorable = (c: string): boolean => ignorable().has(c.codePointAt(0) as number);

/** One character of UCA, by the recorded data of it or of its decomposition. */
function simple(c: string, table: Table): string {
  if (c >= ' ' && c <= '~') return c.toLowerCase();
  return (
    table.get(c) ??
    Array.from(foldSimple(c, isIgnorable), (part) => table.get(part) ?? part).join('')
  );
}

/** Reads lines: a text, and after a tab the characters that compare as equal to it. */
function readTable(lines: string, separator = ''): Table {
  const table = new Map<string, string>();
  for (const line of lines.split('\n')) {
    const [to = '', from = ''] = line.split('\t');
    for (const part of separator ? from.split(separator) : from) table.set(part, to);
  }
  return table;
}

const once = <Value>(create: () => Value): (() => Value) => {
  let value: Value | undefined;
  return () => (value ??= create());
};

const uca = once(() => readTable(recorded.uca));
const uca400 = once(() => readTable(recorded.uca400));
const general = once(() => readTable(recorded.general));
const ignorable = once(() => {
  const set = new Set<number>();
  for (const range of recorded.ignorable.split(' ')) {
    const [first = 0, last = first] = range.split('-').map((digits) => Number.parseInt(digits, 36));
    for (let code = first; code <= last; code++) set.add(code);
  }
  return set;
});

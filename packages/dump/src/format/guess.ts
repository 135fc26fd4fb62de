/** Guesses the format of text by its name and its first records. */
import { opt, type Phrase, phrase } from '../phrase.js';
import type { FormatOptions } from './format.js';
import { recognizeDump, recognizeFormat, textOf } from './recognize.js';
import { recognizeSql } from './recognize-sql.js';

/** Format of an input, as far as its name and its first bytes tell. */
export type Recognition =
  /** The beginning is that of one format alone: of a dump, or of SQL of one dialect. */
  | { readonly is: 'dump'; readonly format: string }
  /** One format fits. */
  | { readonly is: 'guess'; readonly format: string; readonly options: FormatOptions }
  /** Several formats fit, or the same with several options: each as it is named by options. */
  | { readonly is: 'ambiguous'; readonly choices: readonly Phrase[] }
  /** SQL of any dialect. */
  | { readonly is: 'sql'; readonly isHarmless: boolean };

/**
 * Recognises the format of an input.
 *
 * @param isWhole - True if the head is all of it.
 * @param given - Options of the format that someone named; without them, nothing is guessed.
 */
export function recognize(
  name: string,
  head: Uint8Array,
  isWhole: boolean,
  given: FormatOptions | undefined,
): Recognition | undefined {
  const dump = recognizeDump(head);
  if (dump) return { is: 'dump', format: dump };
  const text = textOf(head);
  const sql = recognizeSql(text, isWhole);
  if (sql?.format !== undefined) return { is: 'dump', format: sql.format };
  if (sql) return { is: 'sql', isHarmless: sql.isHarmless };
  if (!given) return undefined;
  const json = recognizeFormat(head);
  if (json) return { is: 'guess', format: json, options: {} };
  const ending = /\.(\w+)$/.exec(name.replace(/\.(?:gz|zst)$/i, ''))?.[1]?.toLowerCase() ?? '';
  return guessText(ending, text, isWhole, given);
}

/** Formats by the ending of a name, if the ending says all. */
const byEnding: Readonly<Record<string, string>> = {
  json: 'json',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  copy: 'copy',
};

const DELIMITERS = [',', ';', '\t', '|'] as const;

function guessText(
  ending: string,
  text: string,
  isWhole: boolean,
  given: FormatOptions,
): Recognition | undefined {
  const known = byEnding[ending];
  if (known) return { is: 'guess', format: known, options: {} };
  const isNamed = ending === 'csv';
  // The delimiter that someone names decides.
  if (isNamed && given.delimiter !== undefined) return { is: 'guess', format: 'csv', options: {} };
  const isTabbed = ending === 'tsv' || ending === 'tab';
  const fitting = isTabbed ? ['\t'] : DELIMITERS.filter((each) => fits(text, each, isWhole));
  if (fitting.length > 1) {
    return { is: 'ambiguous', choices: fitting.map((each) => spell(nameOf(each, isNamed), each)) };
  }
  const [delimiter] = fitting;
  if (delimiter === '\t' && !isNamed) return guessTabs(text);
  if (delimiter !== undefined) {
    return { is: 'guess', format: 'csv', options: delimiter === ',' ? {} : { delimiter } };
  }
  if (isNamed) {
    const present = DELIMITERS.filter((each) => text.includes(each));
    // One column, or commas in some records only.
    if (present.every((each) => each === ',')) return { is: 'guess', format: 'csv', options: {} };
    return {
      is: 'ambiguous',
      choices: [...new Set([',', ...present])].map((d) => spell('csv', d)),
    };
  }
  return ['txt', 'text', 'log'].includes(ending)
    ? { is: 'guess', format: 'lines', options: {} }
    : undefined;
}

/** Between tabs, a backslash or a quote means something else in each of these formats. */
const guessTabs = (text: string): Recognition =>
  /["\\]/.test(text)
    ? { is: 'ambiguous', choices: ['tsv', 'tab', 'copy'].map((name) => spell(name)) }
    : { is: 'guess', format: 'tsv', options: {} };

const nameOf = (delimiter: string, isNamed: boolean): string =>
  delimiter === '\t' && !isNamed ? 'tsv' : 'csv';

/** Names a format by its options. */
export function spell(format: string, delimiter?: unknown): Phrase {
  const name = opt('format', format);
  if (typeof delimiter !== 'string' || format !== 'csv') return [name];
  return phrase`${name} ${opt('delimiter', delimiter === '\t' ? '\\t' : delimiter)}`;
}

/** Most records that are counted. */
const RECORDS = 100;

/** Tells whether all records have the same number of delimiters, and at least one. */
function fits(text: string, delimiter: string, isWhole: boolean): boolean {
  let count = 0;
  let isQuoted = false;
  let expected: number | undefined;
  let records = 0;
  let start = 0;
  const end = (at: number): boolean => {
    const isBlank = at === start || (at === start + 1 && text[start] === '\r');
    if (!isBlank) {
      if (count === 0 || (expected ?? count) !== count) return false;
      expected = count;
      records++;
    }
    count = 0;
    start = at + 1;
    return true;
  };
  for (let i = 0; i < text.length && records < RECORDS; i++) {
    const character = text[i];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === delimiter) count++;
    else if (character === '\n' && !end(i)) return false;
  }
  // The text after the last line feed may be a part of a record.
  if (isWhole && records < RECORDS && start < text.length && (isQuoted || !end(text.length)))
    return false;
  return records > 0;
}

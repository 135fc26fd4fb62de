/** Formats by the names that users write. */
import { UsageFailure } from '../failure.js';
import { BACKSLASH, CR, DOUBLE_QUOTE, LF, TAB } from './ascii.js';
import { createCopy } from './copy.js';
import { createCsv } from './csv.js';
import type { Format } from './format.js';
import { jsonl } from './jsonl.js';
import { lines } from './lines.js';
import { mysqldump } from './mysqldump.js';
import { pgDump } from './pg-dump.js';

export { FormatFailure } from './failure.js';
export type { Field, FieldKind, Format, Piece, PieceKind, Reader, ReaderState } from './format.js';

/** What `--format` takes. */
export const formatNames = [
  'lines',
  'copy',
  'csv',
  'tsv',
  'jsonl',
  'mysqldump',
  'pg_dump',
] as const;

/** The name of a format. */
export type FormatName = (typeof formatNames)[number];

/** How a file differs from what its format mostly looks like. */
export interface FormatOptions {
  /** A character of ASCII between columns, or how it is written: `\t`, `\x01`. */
  readonly delimiter?: string | undefined;
  /** The same around fields; an empty string where a quote is like any other character. */
  readonly quote?: string | undefined;
  /** False where the first record has no names of columns. */
  readonly header?: boolean | undefined;
  /** The names of the columns, in their order. */
  readonly columns?: readonly string[] | undefined;
}

const isName = (name: string): name is FormatName =>
  (formatNames as readonly string[]).includes(name);

/** Who has which option. */
const takers: Readonly<Record<keyof FormatOptions, readonly FormatName[]>> = {
  delimiter: ['copy', 'csv', 'tsv'],
  quote: ['csv', 'tsv'],
  header: ['csv', 'tsv'],
  columns: ['copy', 'csv', 'tsv'],
};

/** How the options are written. */
const flags: Readonly<Record<keyof FormatOptions, string>> = {
  delimiter: '--delimiter',
  quote: '--quote',
  header: '--no-header',
  columns: '--columns',
};

/**
 * Finds the format of a name.
 *
 * @throws {@link UsageFailure} where there is none, and where an option is none of the format's.
 */
export function findFormat(name: string, options: FormatOptions = {}): Format {
  if (!isName(name)) {
    throw new UsageFailure(
      `there is no format ${JSON.stringify(name)}; there are ${formatNames.join(', ')}`,
    );
  }
  for (const option of Object.keys(takers) as (keyof FormatOptions)[]) {
    // True is what it is where nobody says anything.
    if (options[option] === undefined || options[option] === true) continue;
    if (takers[option].includes(name)) continue;
    throw new UsageFailure(
      `${flags[option]} is for ${takers[option].join(', ')}; leave it out with --format ${name}`,
    );
  }
  switch (name) {
    case 'lines':
      return lines;
    case 'jsonl':
      return jsonl;
    case 'mysqldump':
      return mysqldump;
    case 'pg_dump':
      return pgDump;
    case 'copy':
      return createCopy(readDelimiter(options.delimiter, TAB), options.columns ?? []);
    default: {
      const delimiter = readDelimiter(options.delimiter, name === 'tsv' ? TAB : 0x2c);
      const quote = options.quote === '' ? -1 : readByte('--quote', options.quote, DOUBLE_QUOTE);
      if (delimiter === quote) {
        throw new UsageFailure(
          '--delimiter and --quote are the same; one of them has to be another',
        );
      }
      const { header = true, columns } = options;
      return createCsv(name, { delimiter, quote, hasHeader: header, columns });
    }
  }
}

/** A byte that does not stand in what is put into text: a letter, a digit or a backslash. */
function readDelimiter(text: string | undefined, usual: number): number {
  const byte = readByte('--delimiter', text, usual);
  if (byte !== BACKSLASH && !/[0-9A-Za-z]/.test(String.fromCharCode(byte))) return byte;
  throw new UsageFailure(
    '--delimiter cannot be a letter, a digit or a backslash, since escapes are made of these; write the file with another',
  );
}

function readByte(flag: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  const hex = /^\\x([0-9A-Fa-f]{2})$/.exec(text)?.[1];
  const character =
    text === '\\t' ? '\t' : hex ? String.fromCharCode(Number.parseInt(hex, 16)) : text;
  const byte = character.charCodeAt(0);
  if (character.length === 1 && byte < 0x80 && byte !== LF && byte !== CR) return byte;
  throw new UsageFailure(
    `${flag} takes one character of ASCII that ends no line, such as ",", "\\t" or "\\x01", and not ${JSON.stringify(text)}`,
  );
}

/** Opens an input, and finds the format that it is read in. */

import { existsSync } from 'node:fs';
import { toPath } from '@utf8/files';
import { InputError, UsageError } from './error.js';
import type { FormatOptions } from './format/format.js';
import { FormatError } from './format/format-error.js';
import { type Recognition, recognize, spell } from './format/guess.js';
import { RAW } from './format/raw.js';
import { recognizeDump, TEXT_HEAD, textOf } from './format/recognize.js';
import { mayBeSql } from './format/recognize-sql.js';
import { type InputOptions, openInput, peek } from './open/input.js';
import { measure, type Source, STDIN } from './open/source.js';
import { joinPhrases, notify, opt, type Phrase, phrase } from './phrase.js';

/** Request for the format of an input. */
export interface FormatRequest {
  /** The format that someone named. */
  readonly format?: string | undefined;
  readonly formatOptions?: FormatOptions | undefined;
  /** True if the input has to be read as records, so that a guess decides. */
  readonly needsRecords: boolean;
}

/** The format that an input is read in. */
export interface ChosenFormat {
  readonly format: string;
  readonly formatOptions: FormatOptions;
  /** True if the name or the first records suggest it, and others fit. */
  readonly isGuess: boolean;
  /** True if it was recognised rather than specified, and is not plain text. */
  readonly isRecognized: boolean;
}

/**
 * Opens an input in the requested format, or in the recognised one.
 *
 * @returns The open input, which the caller closes.
 * @throws {@link UsageError} if the input is a dump of another format, or its format must be specified.
 * @throws {@link InputError} as {@link openInput} does.
 */
export async function openRecognized(
  name: string,
  request: FormatRequest,
  options?: InputOptions,
): Promise<{ readonly source: Source; readonly chosen: ChosenFormat }> {
  const opened = await openInput(name, options);
  try {
    return await recognizeSource(opened, request);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Does the same for an input that is open, and returns a source that starts at its beginning. */
export async function recognizeSource(
  opened: Source,
  request: FormatRequest,
): Promise<{ readonly source: Source; readonly chosen: ChosenFormat }> {
  const { name } = opened;
  if (request.format === RAW) return { source: opened, chosen: choose(name, request, undefined) };
  const readsAll = request.format === undefined && request.needsRecords;
  const isDecided = (head: Uint8Array): boolean => !readsAll && isFormatDecided(head);
  const { source, head, isWhole } = await peek(opened, TEXT_HEAD, isDecided);
  if (request.format !== undefined) {
    refuseOther(name, request.format, head);
    return { source, chosen: choose(name, request, undefined) };
  }
  const { needsRecords, formatOptions = {} } = request;
  const found = recognize(name, head, isWhole, needsRecords ? formatOptions : undefined);
  return { source, chosen: choose(name, request, found) };
}

/** Finds the format of a file without keeping it open. */
export async function recognizeInput(
  name: string,
  request: FormatRequest,
  options?: InputOptions,
): Promise<ChosenFormat> {
  const { source, chosen } = await openRecognized(name, request, options);
  await source.close();
  return chosen;
}

/**
 * Finds the format of a file of records: by its beginning, or by a guess.
 *
 * @param name - The path of a file, which may be compressed with gzip or zstd.
 * @param onNotice - Receives a sentence that names the format, and the same in parts.
 * @returns The name of the format, and the options that were guessed.
 * @throws UsageError (`ERR_UTF8_USAGE`) if several formats fit, or none.
 * @throws InputError (`ERR_UTF8_INPUT`) if the file cannot be read.
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { recognizeFile } from '@utf8/dump/internal';
 *
 * writeFileSync('cities.csv', 'id;name\n1;Wien\n');
 * await recognizeFile('cities.csv'); // => { format: 'csv', formatOptions: { delimiter: ';' } }
 * ```
 */
export async function recognizeFile(
  name: string,
  onNotice?: (sentence: string, phrase: Phrase) => unknown,
): Promise<{ readonly format: string; readonly formatOptions: FormatOptions }> {
  if (!canReopen(name) && (name === STDIN || existsSync(toPath(name)))) {
    throw new UsageError(`${name}: can be read only once; specify its format`);
  }
  const chosen = await recognizeInput(name, { needsRecords: true });
  await notify(onNotice, describeChoice(name, chosen, false));
  const { format, formatOptions } = chosen;
  return { format, formatOptions };
}

/** Tells whether the format of text is known, or will not be. A line that is typed has to come out at once. */
export const isFormatDecided = (head: Uint8Array): boolean =>
  head.length > 0 && (recognizeDump(head) !== undefined || !mayBeSql(textOf(head)));

function refuseOther(name: string, format: string, head: Uint8Array): void {
  const dump = recognizeDump(head);
  if (dump === undefined || dump === format) return;
  throw new UsageError(
    phrase`${name}: begins as a dump in the format ${dump}, and would be damaged as ${format}; use ${opt('format', dump)}`,
  );
}

/** Chooses between the requested format, the recognised one, and plain text. */
function choose(
  name: string,
  { format, formatOptions = {}, needsRecords }: FormatRequest,
  found: Recognition | undefined,
): ChosenFormat {
  const plain = { format: RAW, formatOptions, isGuess: false, isRecognized: false };
  if (format !== undefined) return { ...plain, format };
  if (found?.is === 'sql' && !(found.isHarmless && !needsRecords)) {
    throw new UsageError(
      phrase`${name}: is SQL of an unknown program, and binary values in it may look like text; specify it with ${opt('format', 'mysqldump')}, ${opt('format', 'pg_dump')} or ${opt('format', 'sqlite')}${needsRecords ? '' : phrase`, or with ${opt('format', 'none')} if it has no binary values`}`,
    );
  }
  if (found?.is === 'dump') return { ...plain, format: found.format, isRecognized: true };
  if (!needsRecords) return plain;
  if (found?.is === 'guess') {
    const options = { ...found.options, ...formatOptions };
    return { format: found.format, formatOptions: options, isGuess: true, isRecognized: true };
  }
  throw new UsageError(
    found?.is === 'ambiguous'
      ? phrase`${name}: may be read as ${joinPhrases(found.choices, ' or ')}; specify one of them`
      : phrase`${name}: its format is not recognised; specify it with ${opt('format')}`,
  );
}

/** Names a format by its options. */
export const describeFormat = ({ format, formatOptions }: ChosenFormat): Phrase =>
  spell(format, formatOptions.delimiter);

/** Says which format was found, for people. */
export function describeChoice(name: string, chosen: ChosenFormat, hasPlain: boolean): Phrase {
  const how = chosen.isGuess ? 'a guess by its name and content' : 'as its beginning says';
  const other = hasPlain
    ? phrase`${opt('format', 'none')} reads it as plain text`
    : phrase`another ${opt('format')} overrides it`;
  return phrase`${name}: read with ${describeFormat(chosen)}, ${how}; ${other}`;
}

/** Names the file in an error about its contents, and says if its format was a guess. */
export function explain(
  error: unknown,
  name: string,
  chosen: Pick<ChosenFormat, 'format' | 'isGuess'>,
  hasPlain: boolean,
): unknown {
  const named = error instanceof FormatError ? error.in(name) : error;
  if (!(chosen.isGuess && named instanceof InputError && named.cause instanceof FormatError)) {
    return named;
  }
  const plain = hasPlain ? phrase`, or read it as plain text with ${opt('format', 'none')}` : '';
  return new InputError(
    phrase`${named.phrase}; its format ${chosen.format} was a guess; specify the right one with ${opt('format')}${plain}`,
    { cause: named.cause },
  );
}

/** Tells whether an input can be opened more than once. */
export const canReopen = (name: string): boolean => measure([name]) !== undefined;

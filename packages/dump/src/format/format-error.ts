import { InputError } from '../error.js';
import { type Phrase, phrase, wordPhrase } from '../phrase.js';

/**
 * Thrown if an input is not of its format. Functions that know the name of the file throw an
 * {@link InputError} whose `cause` it is.
 *
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { convertDump, FormatError } from '@utf8/dump';
 *
 * writeFileSync('open.csv', 'id,name\n1,"Ann\n');
 * const options = { input: 'open.csv', output: 'closed.csv', format: 'csv', from: 'cesu-8+utf-8' };
 * const error = await convertDump(options).catch((error) => error);
 * error.message; // => 'open.csv:2: unterminated quoted field; close the quote, or set `quote`'
 * error.cause instanceof FormatError; // => true
 * error.cause.line; // => 2
 * ```
 */
export class FormatError extends InputError {
  /** The name of the class. */
  override readonly name = 'FormatError';
  /** The error and its remedy, without the place. */
  readonly reason: string;
  /**
   * The same in parts, which name options.
   *
   * @internal
   */
  readonly parts: Phrase;
  /** The line, from 1. */
  readonly line: number;
  /** The column in bytes, from 1, if the format counts them. */
  readonly column: number | undefined;

  /**
   * @param reason - The error and its remedy.
   * @param line - The line, from 1.
   * @param column - The column in bytes, from 1, if the format counts them.
   */
  constructor(reason: string | Phrase, line: number, column?: number) {
    super(phrase`line ${line}${column === undefined ? '' : `, column ${column}`}: ${reason}`);
    this.reason = wordPhrase(reason);
    this.parts = phrase`${reason}`;
    this.line = line;
    this.column = column;
  }

  /**
   * Makes the error that names the file, too: `FILE:LINE: …`.
   *
   * @param file - The name of the file.
   * @returns An error whose `cause` is this one.
   */
  in(file: string): InputError {
    const byte = this.column === undefined ? '' : `byte ${this.column}: `;
    return new InputError(phrase`${file}:${this.line}: ${byte}${this.parts}`, { cause: this });
  }
}

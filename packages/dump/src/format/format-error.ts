import { InputError } from '../error.js';

/** Thrown if an input is not of its format. */
export class FormatError extends InputError {
  override readonly name = 'FormatError';
  /** What is wrong and what to do, without the place. */
  readonly reason: string;
  /** The line, from 1. */
  readonly line: number;
  /** The column in bytes, from 1, if the format counts them. */
  readonly column: number | undefined;

  constructor(reason: string, line: number, column?: number) {
    super(`line ${line}${column === undefined ? '' : `, column ${column}`}: ${reason}`);
    this.reason = reason;
    this.line = line;
    this.column = column;
  }

  /** Returns the error with the name of the file before it: `FILE: line N: …`. */
  in(file: string): InputError {
    return new InputError(`${file}: ${this.message}`, { cause: this });
  }
}

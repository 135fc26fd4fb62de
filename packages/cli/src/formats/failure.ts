import { InputFailure } from '../failure.js';

/** An input is not of the format that it was said to be: exit code 3. */
export class FormatFailure extends InputFailure {
  /** What is wrong there, and what to do; a sentence without place. */
  readonly reason: string;
  /** From 1. */
  readonly line: number;
  /** In bytes, from 1, where the format counts them. */
  readonly column: number | undefined;

  constructor(reason: string, line: number, column?: number) {
    super(`line ${line}${column === undefined ? '' : ` column ${column}`}: ${reason}`);
    this.reason = reason;
    this.line = line;
    this.column = column;
  }

  /** The same with the name of the file in front: `FILE line N: …`. */
  in(file: string): InputFailure {
    return new InputFailure(`${file} ${this.message}`, { cause: this });
  }
}

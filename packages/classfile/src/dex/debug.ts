/** Debug information: a small program that produces lines, and the names of parameters and local variables. */
import type { Cursor } from '../android/cursor.js';

const Step = {
  End: 0,
  AdvanceAddress: 1,
  AdvanceLine: 2,
  StartLocal: 3,
  StartLocalExtended: 4,
  EndLocal: 5,
  RestartLocal: 6,
  SetFile: 9,
  /** The first special opcode: each adds an entry to the table of lines. */
  First: 10,
} as const;

const LINE_BASE = -4;
const LINE_RANGE = 15;

/** The lines of a method, queried in the order of its code. */
export class Lines {
  readonly #cursor: Cursor;
  #address = 0;
  #line: number;
  /** The line that applies until `#nextAddress`. */
  #current: number | undefined;
  #nextAddress = 0;
  #next: number | undefined;

  /** @param cursor - At the beginning of a `debug_info_item`. */
  constructor(cursor: Cursor) {
    this.#cursor = cursor;
    this.#line = cursor.uleb128() | 0;
    for (let left = cursor.uleb128(); left > 0; left--) cursor.uleb128();
    this.#advance();
  }

  /** @param address - In units of two bytes from the start of the code, no less than the last one. */
  lineAt(address: number): number | undefined {
    while (this.#next !== undefined && this.#nextAddress <= address) {
      this.#current = this.#next;
      this.#advance();
    }
    return this.#current;
  }

  /** Runs to the next entry of the table. */
  #advance(): void {
    const cursor = this.#cursor;
    for (;;) {
      const step = cursor.u1();
      if (step >= Step.First) {
        const both = step - Step.First;
        this.#line = (this.#line + LINE_BASE + (both % LINE_RANGE)) | 0;
        this.#address += Math.floor(both / LINE_RANGE);
        this.#nextAddress = this.#address;
        this.#next = this.#line;
        return;
      }
      if (step === Step.AdvanceAddress) this.#address += cursor.uleb128();
      else if (step === Step.AdvanceLine) this.#line = (this.#line + cursor.sleb128()) | 0;
      else if (step === Step.End) {
        this.#next = undefined;
        return;
      } else skipNames(cursor, step);
    }
  }
}

function skipNames(cursor: Cursor, step: number): void {
  const numbers = numbersOf[step] ?? 0;
  for (let left = numbers; left > 0; left--) cursor.uleb128();
}

/** Operands of each opcode about a variable or a file: their number. */
const numbersOf: Readonly<Record<number, number>> = {
  [Step.StartLocal]: 3,
  [Step.StartLocalExtended]: 4,
  [Step.EndLocal]: 1,
  [Step.RestartLocal]: 1,
  [Step.SetFile]: 1,
};

/** A string in a `debug_info_item`. */
export interface DebugName {
  readonly kind: 'name' | 'signature' | 'source';
  /** The index of the string. */
  readonly index: number;
  /** Offset of that index, in bytes from the start of the file. */
  readonly offset: number;
  /** The line where the scope of a local variable begins, if it is known. */
  readonly line: number | undefined;
}

/** Yields the names in a `debug_info_item`. */
export function* readDebugNames(cursor: Cursor): Generator<DebugName, undefined> {
  let register = cursor.uleb128() | 0;
  let line: number | undefined;
  for (let left = cursor.uleb128(); left > 0; left--) {
    yield* readName(cursor, 'name', undefined);
  }
  for (;;) {
    const step = cursor.u1();
    switch (step) {
      case Step.End:
        return;
      case Step.AdvanceLine:
        register = (register + cursor.sleb128()) | 0;
        break;
      case Step.StartLocal:
      case Step.StartLocalExtended:
        cursor.uleb128(); // the register of the variable
        yield* readName(cursor, 'name', line);
        cursor.uleb128(); // its type
        if (step === Step.StartLocalExtended) yield* readName(cursor, 'signature', line);
        break;
      case Step.SetFile:
        yield* readName(cursor, 'source', line);
        break;
      case Step.AdvanceAddress:
      case Step.EndLocal:
      case Step.RestartLocal:
        cursor.uleb128();
        break;
      default:
        if (step < Step.First) break;
        register = (register + LINE_BASE + ((step - Step.First) % LINE_RANGE)) | 0;
        line = register;
    }
  }
}

/** Reads a `uleb128p1`: an index plus one, or 0 for none. */
function* readName(
  cursor: Cursor,
  kind: DebugName['kind'],
  line: number | undefined,
): Generator<DebugName, undefined> {
  const { offset } = cursor;
  const index = cursor.uleb128() - 1;
  if (index >= 0) yield { kind, index, offset, line };
}

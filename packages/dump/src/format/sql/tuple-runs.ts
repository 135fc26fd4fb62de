/**
 * Passes runs of tuples in WebAssembly: those whose values are strings in single quotes, numbers and words, as nearly
 * all dumps write them. It takes a quarter of the time of passing tuples one by one (Node 20, 24 and 26).
 */
import { wasm } from '../../generated/wasm.js';

/** Functions and places that the module exports; see `tooling/compiler/assembly/tuples.ts`. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly INPUT: WebAssembly.Global<'i32'>;
  readonly INPUT_SIZE: WebAssembly.Global<'i32'>;
  readonly BOUNDS: WebAssembly.Global<'i32'>;
  readonly TOKENS: WebAssembly.Global<'i32'>;
  passTuples(bytes: number, escapes: boolean): number;
}

interface Module extends Pick<Exports, 'passTuples'> {
  readonly input: Uint8Array;
  /** Start and end of each tuple, and number of strings before it; then the number of all strings. */
  readonly bounds: Int32Array;
  /** Start and end of each string. */
  readonly tokens: Int32Array;
}

/** Tuples that are passed one by one before the first run of a statement: it may have no more. */
const FIRST_WAIT = 4;
const MOST_WAIT = 1024;

/** Bytes of the first run of a statement. */
const FIRST_SIZE = 4096;
const GROWTH = 4;

let loaded: Module | false | undefined;

/** Compiles the module on first use; false if WebAssembly, or its SIMD, is missing or forbidden. */
function load(): Module | false {
  if (loaded !== undefined) return loaded;
  try {
    const module = new WebAssembly.Module(Buffer.from(wasm, 'hex'));
    const exports = new WebAssembly.Instance(module, {}).exports as unknown as Exports;
    const { buffer } = exports.memory;
    loaded = {
      passTuples: exports.passTuples,
      input: new Uint8Array(buffer, exports.INPUT.value, exports.INPUT_SIZE.value),
      bounds: new Int32Array(buffer, exports.BOUNDS.value),
      tokens: new Int32Array(buffer, exports.TOKENS.value),
    };
  } catch {
    // Tuples are passed more slowly then.
    loaded = false;
  }
  return loaded;
}

export class TupleRuns {
  /** Number of tuples in the last run. */
  count = 0;
  /** Start of the last tuple of the last run, and its end. */
  last = 0;
  end = 0;
  /** Start of the last run. */
  #start = 0;
  /** Number of tuples to pass before the next run is tried, and after it, if it is empty. */
  #left = FIRST_WAIT;
  #wait = FIRST_WAIT;
  #size = FIRST_SIZE;

  /** Begins a statement. */
  begin(): void {
    this.#left = FIRST_WAIT;
    this.#wait = FIRST_WAIT;
    this.#size = FIRST_SIZE;
  }

  /** Tells whether to try a run before the next tuple. */
  isDue(): boolean {
    return this.#left-- <= 0;
  }

  /**
   * Passes tuples, the first of which begins at an index.
   *
   * @param escapes - True if a backslash in a string escapes.
   * @returns False if the first one is of another form, too long, or does not end in the bytes.
   */
  pass(bytes: Buffer, start: number, escapes: boolean): boolean {
    const module = load();
    if (!module) {
      this.#left = Infinity;
      return false;
    }
    const { input, bounds } = module;
    const size = Math.min(this.#size, bytes.length - start);
    input.set(bytes.subarray(start, start + size));
    const count = module.passTuples(size, escapes);
    this.count = count;
    this.#start = start;
    if (count === 0) {
      // What is copied costs little, even if every other tuple is of another form.
      this.#size = FIRST_SIZE;
      this.#wait = Math.min(2 * this.#wait, MOST_WAIT);
      this.#left = this.#wait;
      return false;
    }
    const end = bounds[3 * count - 2] as number;
    this.last = start + (bounds[3 * count - 3] as number);
    this.end = start + end;
    this.#left = 0;
    this.#wait = FIRST_WAIT;
    if (2 * end > this.#size) this.#size = Math.min(GROWTH * this.#size, input.length);
    return true;
  }

  /** Adds the places of the last run: start, end and position of the first token of each tuple; and the tokens. */
  addTo(bounds: number[], tokens: number[]): void {
    const module = load();
    if (!module) return;
    const { count } = this;
    const start = this.#start;
    const known = tokens.length;
    for (let i = 0; i < 3 * count; i += 3) {
      bounds.push(
        start + (module.bounds[i] as number),
        start + (module.bounds[i + 1] as number),
        known + 2 * (module.bounds[i + 2] as number),
      );
    }
    const strings = module.bounds[3 * count + 2] as number;
    for (let i = 0; i < 2 * strings; i++) tokens.push(start + (module.tokens[i] as number));
  }
}

/** The files that a run writes, which get their names all together or not at all. */
import { createToken } from '../path/derived-name.js';
import {
  findReplaced,
  type Kept,
  type Output,
  openOutput,
  type Replaced,
  Replacement,
} from './output.js';

/** What an output is for. */
export type OutputName = 'output' | 'rejects' | 'undo' | 'stats';

/** Something for each output of a run. */
export type PerOutput<T> = Partial<Record<OutputName, T>>;

export const entries = <T>(each: PerOutput<T>): [OutputName, T][] =>
  Object.entries(each) as [OutputName, T][];

/** Replaces the value of each output. */
export const replaceValues = <T, U>(
  each: PerOutput<T>,
  convert: (value: T, name: OutputName) => U,
): PerOutput<U> =>
  Object.fromEntries(entries(each).map(([name, value]) => [name, convert(value, name)]));

/** Where the outputs of a run go: paths, or `-` for stdout. */
export type OutputPaths = PerOutput<string>;

/** The file to replace, and the token of the temporary file that is written first. */
interface Planned {
  readonly replaced: Replaced;
  readonly token: string;
}

export type OutputPlan = PerOutput<Planned>;

/** Plans outputs that can be resumed; undefined if one is stdout or a device. */
export function planOutputs(paths: OutputPaths): OutputPlan | undefined {
  const plan: OutputPlan = {};
  for (const [name, path] of entries(paths)) {
    const replaced = findReplaced(path);
    if (!replaced) return undefined;
    plan[name] = { replaced, token: createToken() };
  }
  return plan;
}

const NOTHING: Kept = { size: 0, checksum: 0 };

/** All outputs of a run. */
export class Outputs {
  readonly #outputs = new Map<OutputName, Output>();
  /** Called when an output has its name. */
  readonly #onNamed: (name: OutputName) => void;

  private constructor(onNamed: (name: OutputName) => void = () => {}) {
    this.#onNamed = onNamed;
  }

  /** Opens outputs that leave nothing when the process is interrupted. */
  static open(paths: OutputPaths): Promise<Outputs> {
    const outputs = new Outputs();
    return outputs.#fill(paths, openOutput, () => outputs.discard());
  }

  /** Creates outputs that a later run can resume. */
  static create(plan: OutputPlan, onNamed?: (name: OutputName) => void): Promise<Outputs> {
    const outputs = new Outputs(onNamed);
    const create = ({ replaced, token }: Planned) => Replacement.create(replaced, token, NOTHING);
    return outputs.#fill(plan, create, () => outputs.discard());
  }

  /**
   * Opens what an earlier run left, and changes nothing.
   *
   * @param isFinished - Whether that run had only to rename its files.
   * @throws {@link UsageError} if it is not there any more, or has changed.
   */
  static resume(
    plan: OutputPlan,
    kept: PerOutput<Kept>,
    isFinished: boolean,
    onNamed?: (name: OutputName) => void,
  ): Promise<Outputs> {
    const outputs = new Outputs(onNamed);
    const reopen = ({ replaced, token }: Planned, name: OutputName) =>
      Replacement.reopen(replaced, token, kept[name] ?? NOTHING, isFinished);
    return outputs.#fill(plan, reopen, () => outputs.close());
  }

  async #fill<T>(
    from: PerOutput<T>,
    open: (each: T, name: OutputName) => Output | Promise<Output | undefined> | undefined,
    undo: () => void,
  ): Promise<Outputs> {
    try {
      for (const [name, each] of entries(from)) {
        const output = await open(each, name);
        if (output) this.#outputs.set(name, output);
      }
      return this;
    } catch (error) {
      undo();
      throw error;
    }
  }

  has(name: OutputName): boolean {
    return this.#outputs.has(name);
  }

  /** How much is written of each output that can be resumed. */
  get kept(): PerOutput<Kept> {
    return Object.fromEntries(this.#resumable.map(([name, { kept }]) => [name, kept]));
  }

  /** Removes what follows the bytes to keep. */
  truncate(): void {
    for (const [, output] of this.#resumable) output.truncate();
  }

  /** Writes to an output, if the run has it. */
  async write(name: OutputName, bytes: Uint8Array): Promise<void> {
    if (bytes.length > 0) await this.#outputs.get(name)?.write(bytes);
  }

  /** Reads some of what is written to an output that can be resumed. */
  read(name: OutputName, start: number, end: number): Uint8Array {
    const output = this.#outputs.get(name);
    return output instanceof Replacement ? output.read(start, end) : new Uint8Array();
  }

  /** Waits until all bytes so far would survive a crash, in outputs that can be resumed. */
  async sync(): Promise<void> {
    await Promise.all(this.#resumable.map(([, output]) => output.sync()));
  }

  /** Waits for the same, and closes the outputs. The last call before {@link commit}. */
  async finish(): Promise<void> {
    for (const output of this.#outputs.values()) await output.finish();
  }

  /** Gives all outputs their names, the converted text last. */
  commit(): void {
    const isLast = ([name]: [OutputName, Output]): number => (name === 'output' ? 1 : 0);
    for (const [name, output] of [...this.#outputs].sort((a, b) => isLast(a) - isLast(b))) {
      output.commit();
      this.#onNamed(name);
    }
  }

  /** Removes what has no name yet. */
  discard(): void {
    for (const output of this.#outputs.values()) output.discard();
  }

  /** Closes what can be resumed, and leaves it. */
  close(): void {
    for (const [, output] of this.#resumable) output.close();
  }

  get #resumable(): [OutputName, Replacement][] {
    return [...this.#outputs].filter(
      (each): each is [OutputName, Replacement] => each[1] instanceof Replacement,
    );
  }
}

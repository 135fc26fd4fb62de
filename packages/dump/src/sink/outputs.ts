/** The files that a run writes, which get their names all together or not at all. */
import { stopAt } from '../test-hook.js';
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

/** Finds the files of outputs that can be resumed; undefined if one is stdout or a device. */
export function findAllReplaced(paths: PerOutput<string>): PerOutput<Replaced> | undefined {
  const files: PerOutput<Replaced> = {};
  for (const [name, path] of entries(paths)) {
    const replaced = findReplaced(path);
    if (!replaced) return undefined;
    files[name] = replaced;
  }
  return files;
}

const NOTHING: Kept = { size: 0, checksum: 0 };

/** All outputs of a run. */
export class Outputs {
  readonly #outputs = new Map<OutputName, Output>();

  /**
   * Opens outputs that leave nothing when the process is interrupted.
   *
   * @param expected - About how long the converted text will be, in bytes.
   */
  static open(paths: PerOutput<string>, expected = 0): Promise<Outputs> {
    return new Outputs().#fill(paths, (path, name) =>
      openOutput(path, name === 'output' ? expected : 0),
    );
  }

  /** Creates outputs that a later run can resume, with a token for each temporary file. */
  static create(files: PerOutput<Replaced>, tokens: PerOutput<string>): Promise<Outputs> {
    return new Outputs().#fill(files, (replaced, name) =>
      Replacement.create(replaced, tokens[name] as string, NOTHING),
    );
  }

  /** Opens what an earlier run left, which may have had only to rename it, and changes nothing. */
  static resume(
    files: PerOutput<Replaced>,
    tokens: PerOutput<string>,
    kept: PerOutput<Kept>,
    isFinished: boolean,
  ): Promise<Outputs> {
    const outputs = new Outputs();
    const reopen = (replaced: Replaced, name: OutputName) =>
      Replacement.reopen(replaced, tokens[name] as string, kept[name] ?? NOTHING, isFinished);
    return outputs.#fill(files, reopen, () => outputs.close());
  }

  async #fill<T>(
    from: PerOutput<T>,
    open: (each: T, name: OutputName) => Output | Promise<Output | undefined>,
    undo = (): void => this.discard(),
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

  truncate(): void {
    for (const [, output] of this.#resumable) output.truncate();
  }

  /** Writes to an output, if the run has it. */
  async write(name: OutputName, bytes: Uint8Array): Promise<void> {
    if (bytes.length > 0) await this.#outputs.get(name)?.write(bytes);
  }

  read(name: OutputName, start: number, end: number): Uint8Array {
    return (this.#outputs.get(name) as Replacement).read(start, end);
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
      stopAt(`named:${name}`);
    }
  }

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

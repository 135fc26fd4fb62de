/** The files that a run writes, which get their names all together or not at all. */
import { OutputError } from '../error.js';
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

/** How often to give names again that another run has taken, with a pause of so many milliseconds at most. */
const ROUNDS = 100;
const PAUSE = 20;

/** Ends a commit when all names denote files of one run. */
function settle(files: readonly Replacement[]): void {
  for (let round = 1; ; round++) {
    const others = files.filter((file) => !file.isNamed);
    stopAt('settling');
    // If no name is left to this run, another one has replaced them all.
    if (others.length === 0 || others.length === files.length) break;
    if (round === ROUNDS || others.some((file) => !file.isPending)) {
      throw new OutputError(
        `${files.at(-1)?.path}: another run is replacing the same files; run again when it has ended`,
      );
    }
    for (const file of others) file.name();
    // Random pauses let one of two such runs finish alone.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * PAUSE);
  }
  for (const file of files) file.settle();
}

/** All outputs of a run. */
export class Outputs {
  readonly #outputs = new Map<OutputName, Output>();

  /**
   * Opens outputs that leave nothing when the process is interrupted, with a token for each temporary file.
   *
   * @param expected - About how long the converted text will be, in bytes.
   */
  static open(
    paths: PerOutput<string>,
    tokens: PerOutput<string> = {},
    expected = 0,
  ): Promise<Outputs> {
    return new Outputs().#fill(paths, (path, name) =>
      openOutput(path, name === 'output' ? expected : 0, tokens[name]),
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

  /** Whether an output is a file that is replaced as a whole, and not a stream or a device. */
  isFile(name: OutputName): boolean {
    return this.#outputs.get(name) instanceof Replacement;
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

  /**
   * Finds files that another run has finished since this one began, with other bytes, as two hosts may do
   * that share a disk. Only after {@link finish}.
   */
  async findContested(): Promise<OutputName[]> {
    const names: OutputName[] = [];
    for (const [name, output] of this.#resumable) {
      if (await output.isContested()) names.push(name);
    }
    return names;
  }

  /**
   * Gives all outputs their names, the converted text last. If another run does so at the same moment, the
   * outputs of one of the two have their names in the end.
   */
  commit(): void {
    const isLast = ([name]: [OutputName, Output]): number => (name === 'output' ? 1 : 0);
    const all = [...this.#outputs].sort((a, b) => isLast(a) - isLast(b));
    const files = all.flatMap(([, output]) => (output instanceof Replacement ? [output] : []));
    for (const [name, output] of all) {
      if (output instanceof Replacement && files.length > 1) output.name();
      else output.commit();
      stopAt(`named:${name}`);
    }
    if (files.length > 1) settle(files);
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

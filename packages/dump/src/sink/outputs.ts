/** The files that a run writes, which get their names all together or not at all. */
import { AtomicFile, type Kept, type Replaced, stopAt } from '@utf8/files';
import { describeErrors, findReplaced, type Output, openOutput } from './output.js';
import { createCompressor, Packer } from './packer.js';

/** Purpose of an output. */
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
  /** Compressors of the outputs that are compressed. */
  readonly #packers = new Map<OutputName, Packer>();

  /** Opens outputs that leave nothing when the process is interrupted, with a token for each temporary file. */
  static open(paths: PerOutput<string>, tokens: PerOutput<string> = {}): Promise<Outputs> {
    const outputs = new Outputs();
    return outputs.#fill(paths, async (path, name) => {
      const compressor = createCompressor(path);
      const output = await openOutput(path, tokens[name]);
      if (compressor)
        outputs.#packers.set(name, new Packer(compressor, (part) => output.write(part)));
      return output;
    });
  }

  /** Creates outputs that a later run can resume, with a token for each temporary file. */
  static create(files: PerOutput<Replaced>, tokens: PerOutput<string>): Promise<Outputs> {
    return new Outputs().#fill(files, (replaced, name) =>
      AtomicFile.create(replaced, {
        ...describeErrors(replaced.path),
        token: tokens[name],
        isResumable: true,
      }),
    );
  }

  /** Opens files of an earlier run, which may have had only to rename them, and changes nothing. */
  static resume(
    files: PerOutput<Replaced>,
    tokens: PerOutput<string>,
    kept: PerOutput<Kept>,
    isFinished: boolean,
  ): Promise<Outputs> {
    const outputs = new Outputs();
    const reopen = (replaced: Replaced, name: OutputName): Promise<AtomicFile | undefined> => {
      const { describe } = describeErrors(replaced.path);
      const options = { describe, token: tokens[name] as string };
      const opened = AtomicFile.reopen(replaced, options, kept[name] ?? NOTHING, isFinished);
      return opened.catch((error) => Promise.reject(describe(error)));
    };
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

  /** Tells whether an output is a file that is replaced as a whole, and not a stream or a device. */
  isFile(name: OutputName): boolean {
    return this.#outputs.get(name) instanceof AtomicFile;
  }

  /** Lengths written so far, for each output that can be resumed. */
  get kept(): PerOutput<Kept> {
    return Object.fromEntries(this.#resumable.map(([name, { kept }]) => [name, kept]));
  }

  truncate(): void {
    for (const [, output] of this.#resumable) output.truncate();
  }

  /** Writes to an output, if the run has it. */
  async write(name: OutputName, bytes: Uint8Array): Promise<void> {
    if (bytes.length > 0) await (this.#packers.get(name) ?? this.#outputs.get(name))?.write(bytes);
  }

  read(name: OutputName, start: number, end: number): Uint8Array {
    return (this.#outputs.get(name) as AtomicFile).read(start, end);
  }

  /** Waits until all bytes so far would survive a crash, in outputs that can be resumed. */
  async sync(): Promise<void> {
    await Promise.all(this.#resumable.map(([, output]) => output.sync()));
  }

  /** Waits for the same, and closes the outputs. The last call before {@link commit}. */
  async finish(): Promise<void> {
    for (const packer of this.#packers.values()) await packer.finish();
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
    for (const packer of this.#packers.values()) packer.discard();
    for (const output of this.#outputs.values()) output.discard();
  }

  /** Closes files that can be resumed, and leaves them. */
  close(): void {
    for (const [, output] of this.#resumable) output.close();
  }

  get #resumable(): [OutputName, AtomicFile][] {
    return [...this.#outputs].filter(
      (each): each is [OutputName, AtomicFile] => each[1] instanceof AtomicFile,
    );
  }
}

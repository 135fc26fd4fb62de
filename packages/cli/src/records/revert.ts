/** `utf8 revert`: the original of what `utf8 convert --undo` wrote. */
import { InputFailure, UsageFailure } from '../failure.js';
import { Intake } from '../inputs/intake.js';
import { type Output, openOutput, STDOUT } from '../output.js';
import { openSource, refuseStdout, requireReadable, type Source, STDIN } from '../source.js';
import { Digest } from './digest.js';
import type { Splice, UndoFooter } from './undo.js';
import { readUndo } from './undo-reader.js';

/** What the command line asks for. */
export interface RevertOptions {
  /** What `--undo` wrote. */
  readonly undo: string;
  /** A path, or `-` for stdout. */
  readonly output: string;
}

/** How much is copied at once, in bytes. */
const SIZE = 1 << 18;

/**
 * Reverts a file.
 *
 * @returns The exit code, 0.
 * @throws {@link Failure} where input or output fails, and where the two files do not belong together.
 */
export async function revert(file: string, { undo, output }: RevertOptions): Promise<number> {
  if (file === STDIN && undo === STDIN) {
    throw new UsageFailure('stdin can be read only once; name one of the two files');
  }
  requireReadable([file, undo]);
  if (output === STDOUT) refuseStdout([file, undo]);
  const source = await openSource(file);
  const lines = await openSource(undo);
  try {
    const result = await openOutput(output);
    try {
      await new Reversion(source, lines, result).run();
      await result.finish();
      result.commit();
      return 0;
    } finally {
      result.discard();
    }
  } finally {
    await source.close();
    await lines.close();
  }
}

/** A reversion under way. */
class Reversion {
  readonly #source: Source;
  readonly #intake: Intake;
  readonly #undo: Source;
  readonly #result: Output;
  #output: Digest | undefined;
  #original: Digest | undefined;
  /** How much has been read of the file, in bytes. */
  #position = 0;

  constructor(source: Source, undo: Source, result: Output) {
    this.#source = source;
    this.#intake = new Intake(source);
    this.#undo = undo;
    this.#result = result;
  }

  async run(): Promise<void> {
    this.#output = await Digest.create();
    this.#original = await Digest.create();
    for await (const line of readUndo(this.#undo, this.#source.size)) {
      if ('at' in line) await this.#splice(line);
      else await this.#finish(line);
    }
  }

  async #splice({ at, length, bytes }: Splice): Promise<void> {
    await this.#read(at - this.#position, true);
    await this.#read(length, false);
    await this.#write(Buffer.from(bytes, 'hex'));
  }

  async #finish({ original, output }: UndoFooter): Promise<void> {
    await this.#read(output.size - this.#position, true);
    const more = await this.#intake.take(1);
    if (more.length > 0 || this.#output?.finish() !== output.digest) throw this.#notThis();
    if (this.#original?.finish() === original.digest) return;
    throw new InputFailure(
      `${this.#undo.name}: is damaged, so that it does not lead back to the original; copy it again`,
    );
  }

  /** Reads so many bytes of the file, and writes them where they are the original's, too. */
  async #read(length: number, isOriginal: boolean): Promise<void> {
    for (let left = length; left > 0; ) {
      const bytes = await this.#intake.take(Math.min(left, SIZE));
      if (bytes.length === 0) throw this.#notThis();
      this.#output?.add(bytes);
      if (isOriginal) await this.#write(bytes);
      left -= bytes.length;
      this.#position += bytes.length;
    }
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#original?.add(bytes);
    if (bytes.length > 0) await this.#result.write(bytes);
  }

  #notThis(): InputFailure {
    return new InputFailure(
      `${this.#source.name}: is not what ${this.#undo.name} was written with, or has changed since; name the output of that run, as it was`,
    );
  }
}

/** The files that a run makes, which get their names all together or not at all. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { UsageFailure } from '../failure.js';
import { type Output, openOutput, openUnfinished, planFile } from '../output.js';
import type { Checkpoint, Part, Place } from './journal.js';

/** Where each part goes: a path, or `-` for stdout. */
export type Paths = Partial<Record<Part, string>>;

/** An open part. */
interface OpenPart {
  readonly output: Output;
  readonly sync: (() => Promise<void>) | undefined;
  /** In bytes. */
  size: number;
}

/** All parts of a run. */
export class Parts {
  readonly #parts = new Map<Part, OpenPart>();

  /** Opens parts which are gone without a trace when the run is interrupted. */
  static async open(paths: Paths): Promise<Parts> {
    const parts = new Parts();
    try {
      for (const [part, path] of entries(paths)) {
        parts.#parts.set(part, { output: await openOutput(path), sync: undefined, size: 0 });
      }
    } catch (error) {
      parts.discard();
      throw error;
    }
    return parts;
  }

  /**
   * Opens parts which stay for a later run.
   *
   * @param checkpoint - What an earlier run has left that is to be kept.
   */
  static resume(paths: Paths, places: Places, checkpoint: Checkpoint | undefined): Parts {
    const parts = new Parts();
    for (const [part, path] of entries(paths)) {
      const temporary = places[part]?.temporary ?? '';
      const size = checkpoint?.sizes[part];
      const output = openUnfinished(path, { temporary, size });
      parts.#parts.set(part, { output, sync: () => output.sync(), size: size ?? 0 });
    }
    return parts;
  }

  /** Opens parts which an earlier run has finished, to give them their names. */
  static adopt(paths: Paths, places: Places): Parts {
    const parts = new Parts();
    for (const [part, path] of entries(paths)) {
      const temporary = places[part]?.temporary ?? '';
      const { size } = statSync(temporary);
      const output = openUnfinished(path, { temporary, size });
      parts.#parts.set(part, { output, sync: undefined, size });
    }
    return parts;
  }

  has(part: Part): boolean {
    return this.#parts.has(part);
  }

  /** In bytes. */
  get sizes(): Partial<Record<Part, number>> {
    const sizes: Partial<Record<Part, number>> = {};
    for (const [part, { size }] of this.#parts) sizes[part] = size;
    return sizes;
  }

  /** Writes to a part, if there is such a part. */
  async write(part: Part, bytes: Uint8Array): Promise<void> {
    const open = this.#parts.get(part);
    if (!open || bytes.length === 0) return;
    await open.output.write(bytes);
    open.size += bytes.length;
  }

  /** Waits until all that has been written is where it survives a crash. */
  async sync(): Promise<void> {
    await Promise.all(Array.from(this.#parts.values(), ({ sync }) => sync?.()));
  }

  /** The same, and closes them. The last call but {@link commit}. */
  async finish(): Promise<void> {
    for (const { output } of this.#parts.values()) await output.finish();
  }

  /** Gives all parts their names, the output last. */
  commit(): void {
    for (const [part, { output }] of this.#parts) if (part !== 'output') output.commit();
    this.#parts.get('output')?.output.commit();
  }

  discard(): void {
    for (const { output } of this.#parts.values()) output.discard();
  }
}

const entries = (paths: Paths): [Part, string][] => Object.entries(paths) as [Part, string][];

/** Where parts are made. */
export type Places = Partial<Record<Part, Place>>;

/** Finds out where parts would be made; undefined where one of them is no file that can be replaced. */
export function planParts(paths: Paths): Places | undefined {
  const places: Places = {};
  for (const [part, path] of entries(paths)) {
    const place = planFile(path);
    if (!place) return undefined;
    places[part] = place;
  }
  return places;
}

/**
 * Makes sure that what an earlier run has left is there still.
 *
 * @throws {@link UsageFailure} where it is not.
 */
export function requireLeft(places: Places, checkpoint: Checkpoint): void {
  for (const [part, size] of Object.entries(checkpoint.sizes) as [Part, number][]) {
    const temporary = places[part]?.temporary ?? '';
    const found = statSync(temporary, { throwIfNoEntry: false });
    if (found && found.size >= size) continue;
    throw new UsageFailure(
      `--resume needs ${temporary}, which is gone or cut short; leave --resume out to begin again`,
    );
  }
}

/** The bytes of a file from one place to another. */
export function readPart(path: string, start: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - start);
  const fd = openSync(path, 'r');
  try {
    for (let done = 0; done < bytes.length; ) {
      const count = readSync(fd, bytes, done, bytes.length - done, start + done);
      if (count === 0) break;
      done += count;
    }
    return bytes;
  } finally {
    closeSync(fd);
  }
}

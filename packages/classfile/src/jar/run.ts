import { setImmediate } from 'node:timers/promises';
import { JarError, type JarReason } from './error.js';
import type { Limits } from './limits.js';

/** How many bytes are inflated before signals, timers and other tasks have their turn. */
const TURN = 1 << 21;

/** Is told what is wrong; where it returns a promise, the reading waits for it. */
export type ErrorListener = (error: JarError) => unknown;

/** What is common to all archives of one file: its limits, what is left of them, and who is told. */
export class Run {
  readonly limits: Limits;
  readonly #file: string;
  readonly #onError: ErrorListener | undefined;
  /** How much may be inflated in all, in bytes. */
  readonly #allowed: number;
  #taken = 0;
  #held = 0;

  /** @param size - Of the file, in bytes. */
  constructor(file: string, size: number, limits: Limits, onError: ErrorListener | undefined) {
    this.limits = limits;
    this.#file = file;
    this.#onError = onError;
    this.#allowed = Math.max(limits.maxClassBytes, limits.maxJarBytes, limits.maxRatio * size);
  }

  /**
   * Makes an error.
   *
   * @param path - What it is about; empty for the file as a whole.
   */
  fail(reason: JarReason, path: string, what: string, cause?: unknown): JarError {
    return new JarError(reason, this.#file, path || undefined, what, { cause });
  }

  /** Makes one of what somebody else threw, but for what the file system did. */
  wrap(error: unknown, reason: JarReason, path: string, what: string): unknown {
    if (error instanceof JarError || !(error instanceof Error) || 'syscall' in error) return error;
    return this.fail(reason, path, `${what}: ${error.message}; get a whole copy of it`, error);
  }

  /** Reports what costs one entry; throws what ends the reading. */
  async report(error: unknown): Promise<void> {
    if (!(error instanceof JarError) || error.reason === 'bomb' || !this.#onError) throw error;
    await this.#onError(error);
  }

  /** Reads something; undefined where that failed, and has been reported. */
  async attempt<T>(read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      await this.report(error);
      return undefined;
    }
  }

  /**
   * Counts bytes that are about to be inflated.
   *
   * @throws {@link JarError} where they are too many for the file.
   */
  async take(path: string, bytes: number): Promise<void> {
    this.#taken += bytes;
    if (this.#taken > this.#allowed) {
      const what = `with it the file inflates to more than ${this.#allowed} bytes`;
      const why = 'which maxRatio allows for its size';
      throw this.fail('bomb', path, `${what}, ${why}; unpack it if it is to be trusted`);
    }
    this.#held += bytes;
    if (this.#held < TURN) return;
    this.#held = 0;
    await setImmediate();
  }
}

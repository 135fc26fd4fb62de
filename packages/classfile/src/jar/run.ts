import { setImmediate } from 'node:timers/promises';
import { JarError, type JarReason } from './error.js';
import type { Limits } from './limits.js';
import { Paths } from './name.js';
import type { JarSkip, SkipReason } from './skip.js';

/** Bytes that are inflated before signals, timers and other tasks get a turn. */
const TURN = 1 << 21;

/**
 * Receives an error.
 *
 * @param error - The error and its place.
 * @returns Anything; the reading waits for a promise.
 */
export type ErrorListener = (error: JarError) => unknown;

/**
 * Receives a skipped entry.
 *
 * @param skip - The entry, and the reason.
 * @returns Anything; the reading waits for a promise.
 */
export type SkipListener = (skip: JarSkip) => unknown;

/** The listeners of a run. */
export interface Listeners {
  readonly onError?: ErrorListener | undefined;
  readonly onSkip?: SkipListener | undefined;
  readonly lenient?: ErrorListener | undefined;
}

/** State shared by all archives of one file: the limits, the remaining allowance, and the listeners. */
export class Run {
  readonly limits: Limits;
  /** The paths of entries so far. */
  readonly paths: Paths = new Paths();
  readonly #file: string;
  readonly #listeners: Listeners;
  /** Most bytes that may be inflated in all. */
  readonly #allowed: number;
  #taken = 0;
  #held = 0;

  /** @param size - The size of the file, in bytes. */
  constructor(file: string, size: number, limits: Limits, listeners: Listeners) {
    this.limits = limits;
    this.#file = file;
    this.#listeners = listeners;
    this.#allowed = Math.max(limits.maxClassBytes, limits.maxJarBytes, limits.maxRatio * size);
  }

  /**
   * Creates an error.
   *
   * @param path - The path of the entry; empty for the file as a whole.
   */
  fail(reason: JarReason, path: string, what: string, cause?: unknown): JarError {
    return new JarError(reason, this.#file, path || undefined, what, { cause });
  }

  /** Creates the error of an archive that is nested too deep. */
  failDepth(path: string): JarError {
    const what = `is nested more than ${this.limits.maxDepth} levels deep, the limit of maxDepth`;
    return this.fail('depth', path, `${what}; take it out, or raise the limit`);
  }

  /** Tells whether there is a listener for errors that reading can skip. */
  get isLenient(): boolean {
    return this.#listeners.lenient !== undefined;
  }

  /** Reports an error that can be skipped, or throws it if that is not allowed. */
  async tolerate(error: JarError): Promise<void> {
    const { lenient } = this.#listeners;
    if (!lenient) throw error;
    await lenient(error);
  }

  /** Reports a skipped entry. */
  async skip(path: string, reason: SkipReason, what: string): Promise<void> {
    await this.#listeners.onSkip?.({ path, reason, what });
  }

  /** Reports an error that costs one entry; throws one that ends the reading. */
  async report(error: unknown): Promise<void> {
    const { onError } = this.#listeners;
    if (!(error instanceof JarError) || error.reason === 'bomb' || !onError) throw error;
    await onError(error);
  }

  /** Reads something. Returns undefined if that failed and was reported. */
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
   * @throws {@link JarError} if they are too many for the file.
   */
  async take(path: string, bytes: number): Promise<void> {
    this.#taken += bytes;
    if (this.#taken > this.#allowed) {
      const what = `with it the file inflates to more than ${this.#allowed} bytes`;
      const why = 'which maxRatio allows for its size';
      throw this.fail('bomb', path, `${what}, ${why}; unpack it if you trust it`);
    }
    this.#held += bytes;
    if (this.#held < TURN) return;
    this.#held = 0;
    await setImmediate();
  }

  /** Subtracts bytes that were not inflated after all. */
  giveBack(bytes: number): void {
    this.#taken -= bytes;
  }
}

import { setImmediate } from 'node:timers/promises';
import { JarError, type JarReason } from './error.js';
import type { Limits } from './limits.js';
import type { JarSkip, SkipReason } from './skip.js';

/** How many bytes are inflated before signals, timers and other tasks have their turn. */
const TURN = 1 << 21;

/**
 * Receives what is wrong.
 *
 * @param error - What is wrong, and where.
 * @returns Anything; the reading waits for a promise.
 */
export type ErrorListener = (error: JarError) => unknown;

/**
 * Receives what was passed over.
 *
 * @param skip - What was passed over, and why.
 * @returns Anything; the reading waits for a promise.
 */
export type SkipListener = (skip: JarSkip) => unknown;

/** The listeners of a run. */
export interface Listeners {
  readonly onError?: ErrorListener | undefined;
  readonly onSkip?: SkipListener | undefined;
  readonly lenient?: ErrorListener | undefined;
}

/** What all archives of one file share: the limits, what is left of them, and the listeners. */
export class Run {
  readonly limits: Limits;
  readonly #file: string;
  readonly #listeners: Listeners;
  /** How much may be inflated in all, in bytes. */
  readonly #allowed: number;
  #taken = 0;
  #held = 0;

  /** @param size - Of the file, in bytes. */
  constructor(file: string, size: number, limits: Limits, listeners: Listeners) {
    this.limits = limits;
    this.#file = file;
    this.#listeners = listeners;
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

  /** Makes the error of an archive in too many others. */
  failDepth(path: string): JarError {
    const what = `is nested more than ${this.limits.maxDepth} levels deep, the limit of maxDepth`;
    return this.fail('depth', path, `${what}; take it out, or raise the limit`);
  }

  /** Whether there is a listener for faults that reading can skip. */
  get isLenient(): boolean {
    return this.#listeners.lenient !== undefined;
  }

  /** Tells of something wrong that can be passed over; throws it where nothing may be. */
  async tolerate(error: JarError): Promise<void> {
    const { lenient } = this.#listeners;
    if (!lenient) throw error;
    await lenient(error);
  }

  /** Tells of something that is passed over. */
  async skip(path: string, reason: SkipReason, what: string): Promise<void> {
    await this.#listeners.onSkip?.({ path, reason, what });
  }

  /** Reports what costs one entry; throws what ends the reading. */
  async report(error: unknown): Promise<void> {
    const { onError } = this.#listeners;
    if (!(error instanceof JarError) || error.reason === 'bomb' || !onError) throw error;
    await onError(error);
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
      throw this.fail('bomb', path, `${what}, ${why}; unpack it if you trust it`);
    }
    this.#held += bytes;
    if (this.#held < TURN) return;
    this.#held = 0;
    await setImmediate();
  }

  /** Counts bytes less that were not inflated after all. */
  giveBack(bytes: number): void {
    this.#taken -= bytes;
  }
}

/** A separate realm for each change, so that no change outlives its test. */
import { readFileSync } from 'node:fs';
import { type Context, createContext, Script } from 'node:vm';
import type { Codec } from '@utf8/core';

/** Reads the same in every realm. */
export type Outcome = string;

type Record = (name: string, run: () => unknown) => void;

/** The language's own globals in a realm. */
export type Globals = typeof globalThis & { [name: string]: unknown };

/** Changes a realm, and returns what takes the change back. */
export type Change = (globals: Globals) => () => void;

const inputs = new Script(readFileSync(new URL('inputs.mjs', import.meta.url), 'utf8'));

/** Time at which the realm is changed. */
export type Time = 'before import' | 'before use' | 'after use';

export const times: readonly Time[] = ['before import', 'before use', 'after use'];

export class Realm {
  readonly #context: Context = createContext();
  readonly #module: {
    codecs?: readonly (readonly [specifier: string, codec: Codec])[];
    calls?: (inputs: unknown, record: Record) => void;
  };
  readonly #load: (module: object) => void;
  readonly #inputs: unknown;
  readonly globals: Globals;

  /**
   * @param script - The codecs and the calls.
   * @param platform - Its globals other than those of the language.
   */
  constructor(script: Script, platform: object) {
    this.globals = new Script('globalThis').runInContext(this.#context);
    this.#inputs = inputs.runInContext(this.#context);
    this.#module = new Script('({})').runInContext(this.#context);
    // Compiled here: a context finds its globals by what may be changed.
    this.#load = script.runInContext(this.#context);
    for (const [name, value] of Object.entries(platform)) {
      Object.defineProperty(this.globals, name, { value, writable: true, configurable: true });
    }
  }

  load(): void {
    this.#load(this.#module);
  }

  /** Returns a codec of the script, by its specifier. */
  codec(wanted: string): Codec {
    const [, codec] = this.#module.codecs?.find(([specifier]) => specifier === wanted) ?? [];
    if (!codec) throw new Error(`the script does not contain ${wanted}`);
    return codec;
  }

  /**
   * Makes all calls, with results that are read only when nothing is changed any more.
   *
   * @param change - Changes the realm for the time of the calls.
   * @param isWanted - Selects calls by their names.
   */
  call(change?: Change, isWanted: (name: string) => boolean = () => true): Map<string, Outcome> {
    const results: [name: string, run: () => Outcome][] = [];
    const undo = change?.(this.globals);
    try {
      this.#module.calls?.(this.#inputs, (name, run) => {
        if (!isWanted(name)) return;
        let read: () => Outcome;
        try {
          const value = run();
          read = () => describe(value);
        } catch (error) {
          read = () => describeError(error);
        }
        results.push([name, read]);
      });
    } finally {
      undo?.();
    }
    return new Map(results.map(([name, read]) => [name, read()]));
  }
}

function describe(value: unknown): Outcome {
  if (ArrayBuffer.isView(value)) {
    const { byteLength } = value;
    return `${byteLength}:${Buffer.from(value.buffer, value.byteOffset, byteLength).toString('base64')}`;
  }
  return typeof value === 'object' ? JSON.stringify(value) : `${typeof value} ${String(value)}`;
}

/** Prefix of errors. */
export const ERROR = '! ';

function describeError(error: unknown): Outcome {
  const { name, message } = error as Error;
  return `${ERROR}${name}: ${message}`;
}

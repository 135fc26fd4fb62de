/**
 * What makes a function fast, and what its `/lite` does without: whole inputs at once, and windows that
 * run ahead of the rows. Each function is given its own way, so bundles contain only those they use.
 */
import type { Bytes } from '../argument/bytes.js';
import type { Codec } from '../codec/codec.js';
import type { Engine } from '../read/engine.js';
import type { Progress, Scratch } from '../read/kernel.js';
import type { ByteSink } from './byte-sink.js';
import type { TextSink } from './text-sink.js';

/** Runs over `source[from..to)`, and returns where it stopped: at a doubt, or at the end. */
export type Advance = (from: number, to: number) => number;

/** Every method returns undefined if it has no way, as for an engine without an accelerator. */
export interface DecodeWay {
  /** Makes a function that decodes a whole input at once, if it is clean, and else in windows. */
  createDecode(engine: Engine, decode: Codec['decode']): Codec['decode'] | undefined;
  createSink(engine: Engine, size: number): TextSink;
  advance(engine: Engine, bytes: Uint8Array, sink: TextSink): Advance | undefined;
}

/** As {@link DecodeWay}. */
export interface EncodeWay {
  /** Makes a function that encodes a whole text at once, if it can be, and else in windows. */
  createEncode(engine: Engine, encode: Codec['encode']): Codec['encode'] | undefined;
  encodeInto(engine: Engine, text: string, target: Uint8Array, done: Progress): boolean;
  findScratch(engine: Engine, size: number): Scratch | undefined;
  advance(engine: Engine, text: string, sink: ByteSink): Advance | undefined;
}

/** As {@link DecodeWay}. */
export interface ValidateWay {
  /** Makes a function that asks whether a whole input is surely valid, and only then looks closer. */
  createIsValid(
    engine: Engine,
    isValid: (input: Bytes) => boolean,
  ): ((input: Bytes) => boolean) | undefined;
  advance(engine: Engine, bytes: Uint8Array): Advance | undefined;
}

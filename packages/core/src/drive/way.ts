/**
 * What makes a function fast, and what its `/lite` does without: whole inputs at once, and windows that
 * run ahead of the rows. Each function is given its own way, so bundles contain only those they use.
 */
import type { Bytes, OwnBytes } from '../argument/bytes.js';
import type { Engine } from '../read/engine.js';
import type { Progress, Scratch } from '../read/kernel.js';
import type { ByteSink } from './byte-sink.js';
import type { TextSink } from './text-sink.js';

/** Runs over `source[from..to)`, and returns where it stopped: at a doubt, or at the end. */
export type Advance = (from: number, to: number) => number;

/** Every method returns undefined if it has no way, as for an engine without an accelerator. */
export interface DecodeWay {
  /** Decodes a whole input, if it is clean. */
  decode(engine: Engine, input: Bytes): string | undefined;
  /** Finds memory to decode an input of about this size into. */
  findScratch(engine: Engine, size: number): Scratch | undefined;
  takeText(engine: Engine, scratch: Scratch, length: number): string | undefined;
  advance(engine: Engine, bytes: Uint8Array, sink: TextSink): Advance | undefined;
}

/** As {@link DecodeWay}. */
export interface EncodeWay {
  /** Encodes a whole text that the encoding contains. */
  encode(engine: Engine, text: string): OwnBytes | undefined;
  encodeInto(engine: Engine, text: string, target: Uint8Array, done: Progress): boolean;
  findScratch(engine: Engine, size: number): Scratch | undefined;
  advance(engine: Engine, text: string, sink: ByteSink): Advance | undefined;
}

/** As {@link DecodeWay}. */
export interface ValidateWay {
  /** Tells whether a whole input is surely valid. */
  isValid(engine: Engine, input: Bytes): boolean;
  advance(engine: Engine, bytes: Uint8Array): Advance | undefined;
}

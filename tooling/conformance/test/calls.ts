/** The functions of a codec, by name, so that one test can call them all. */
import {
  type Bytes,
  type Codec,
  type DecodeOptions,
  type EncodeOptions,
  type ErrorPolicy,
  Transcoder,
  transcode,
} from '@utf8/core';
import * as strict from '@utf8/strict';

type Reading = (codec: Codec, bytes: Bytes, options?: DecodeOptions) => unknown;
type Writing = (codec: Codec, text: string, options?: EncodeOptions) => unknown;

/** Bytes in; with a policy. */
export const decoding: Readonly<Record<string, Reading>> = {
  decode: (codec, bytes, options) => codec.decode(bytes, options),
  decodedLength: (codec, bytes, options) => codec.decodedLength(bytes, options),
  decodeCodePoints: (codec, bytes, options) => codec.decodeCodePoints(bytes, options),
  Decoder: (codec, bytes, options) => new codec.Decoder(options).decode(bytes),
  'transcode to itself': (codec, bytes, options) => transcode(bytes, codec, codec, options),
  'transcode to UTF-8': (codec, bytes, options) => transcode(bytes, codec, strict, options),
  Transcoder: (codec, bytes, options) => {
    const transcoder = new Transcoder(codec, strict, options);
    return Buffer.concat([transcoder.push(bytes), transcoder.flush()]);
  },
};

/** Bytes in; without a policy. */
export const examining: Readonly<Record<string, Reading>> = {
  isValid: (codec, bytes) => codec.isValid(bytes),
  findFault: (codec, bytes) => codec.findFault(bytes),
  'findFault from 3': (codec, bytes) => codec.findFault(bytes, 3),
  faults: (codec, bytes) => take(codec.faults(bytes)),
  countCodePoints: (codec, bytes) => codec.countCodePoints(bytes),
  floorBoundary: (codec, bytes) => codec.floorBoundary(bytes, 4),
  ceilBoundary: (codec, bytes) => codec.ceilBoundary(bytes, 4),
  'boundaries past the end': (codec, bytes) => [
    codec.floorBoundary(bytes, 1e6),
    codec.ceilBoundary(bytes, 1e6),
  ],
  'compare on the left': (codec, bytes) => codec.compare(bytes, Uint8Array.of(0x61)),
  'compare on the right': (codec, bytes) => codec.compare(Uint8Array.of(0x61), bytes),
};

/** Text in; with a policy. */
export const encoding: Readonly<Record<string, Writing>> = {
  encode: (codec, text, options) => codec.encode(text, options),
  encodeInto: (codec, text, options) => {
    const target = new Uint8Array(6 * text.length + 800);
    return [codec.encodeInto(text, target, options), Array.from(target)];
  },
  byteLength: (codec, text, options) => codec.byteLength(text, options),
  Encoder: (codec, text, options) => new codec.Encoder(options).encode(text),
};

/** More faults than any input of these tests has. */
const LIMIT = 10_000;

/** As `Array.from`, but ends where an iterator does not. */
export function take<T>(items: Iterable<T>): T[] {
  const taken: T[] = [];
  for (const item of items) {
    if (taken.length === LIMIT) throw new Error(`no end after ${LIMIT} faults`);
    taken.push(item);
  }
  return taken;
}

/** A policy that throws if it is called endlessly. */
export function limitPolicy(policy: Exclude<ErrorPolicy, string>): Exclude<ErrorPolicy, string> {
  let calls = 0;
  return (fault, bytes) => {
    if (++calls > LIMIT) throw new Error(`no end after ${LIMIT} faults`);
    return policy(fault, bytes);
  };
}

/** Returns the result or the error of a call, as plain data that can be compared. */
export function outcomeOf(run: () => unknown): unknown {
  const outcome = rawOutcomeOf(run);
  return ArrayBuffer.isView(outcome) ? Array.from(outcome as Uint8Array) : outcome;
}

/** Returns the result or the error of a call, with arrays unchanged. */
export function rawOutcomeOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return {
      ...(error as Error),
      thrown: (error as Error).name,
      message: (error as Error).message,
    };
  }
}

/** Returns the error of a call; undefined if it returns. */
export function errorOf(run: () => unknown): Error | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

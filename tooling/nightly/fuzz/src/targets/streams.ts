import {
  type Codec,
  DecodeError,
  EncodeError,
  Transcoder,
  TranscoderStream,
  transcode,
} from '@utf8/core';
import { variants } from '../../../../conformance/src/generated/codecs.js';
import { attempt, policies } from '../codec.js';
import { compose, type Input } from '../input.js';
import { require, requireEqual, requireSame, type Target } from '../target.js';
import { vectorInputs } from '../vectors.js';

const codecs = Object.values(variants).flatMap(({ full, lite }) => [full, lite]);

/** Cuts at a limited number of positions, which may coincide. */
function cut<T extends { readonly length: number; slice(from: number, to: number): T }>(
  input: Input,
  whole: (rest: Input) => T,
): { parts: T[]; whole: T } {
  const places = Array.from({ length: input.below(12) }, () => input.below(0x1_0000));
  const all = whole(input);
  const ends = [...places.map((place) => place % (all.length + 1)), all.length].sort(
    (a, b) => a - b,
  );
  const parts = ends.map((end, i) => all.slice(ends[i - 1] ?? 0, end));
  return { parts, whole: all };
}

/** Long enough for kernels, now and then. */
function readBytes(input: Input): Uint8Array {
  const times = input.below(4);
  const bytes = input.rest();
  return Uint8Array.from(Buffer.concat(Array.from({ length: 1 + times ** 3 }, () => bytes)));
}

const offsetOf = (result: unknown): unknown =>
  result instanceof DecodeError || result instanceof EncodeError
    ? `${result.name} at ${result.offset}`
    : result;

async function drain<I, O>(
  stream: { readonly readable: ReadableStream<O>; readonly writable: WritableStream<I> },
  parts: readonly I[],
): Promise<O[]> {
  const writer = stream.writable.getWriter();
  const write = async (): Promise<void> => {
    for (const part of parts) await writer.write(part);
    await writer.close();
  };
  const written = write();
  written.catch(() => {});
  const found: O[] = [];
  const reader = stream.readable.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    found.push(value);
  }
  await written;
  return found;
}

function decode(codec: Codec, input: Input): void | Promise<void> {
  const errors = input.pick(policies);
  const isStream = input.below(16) === 1;
  const { parts, whole } = cut(input, readBytes);
  const expected = attempt(() => codec.decode(whole, { errors }), DecodeError);
  if (isStream && !(expected instanceof Error)) {
    return drain(new codec.DecoderStream({ errors }), parts as Uint8Array<ArrayBuffer>[]).then(
      (found) => requireEqual(found.join(''), expected, 'DecoderStream'),
    );
  }
  const decoder = new codec.Decoder({ errors });
  const found = attempt(
    () => parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode(),
    DecodeError,
  );
  requireEqual(offsetOf(found), offsetOf(expected), 'Decoder');
  const again = attempt(() => decoder.decode(whole), DecodeError);
  requireEqual(offsetOf(again), offsetOf(expected), 'a Decoder that is used again');
}

function encode(codec: Codec, input: Input): void | Promise<void> {
  const errors = input.pick(policies);
  const isStream = input.below(16) === 1;
  const { parts, whole } = cut(input, (rest) => rest.text());
  const expected = attempt(() => codec.encode(whole, { errors }), EncodeError);
  if (isStream && !(expected instanceof Error)) {
    return drain(new codec.EncoderStream({ errors }), parts).then((found) =>
      requireSame(Buffer.concat(found), expected, 'EncoderStream'),
    );
  }
  const encoder = new codec.Encoder({ errors });
  const found = attempt(
    () =>
      Buffer.concat([
        ...parts.map((part) => encoder.encode(part, { stream: true })),
        encoder.encode(),
      ]),
    EncodeError,
  );
  if (expected instanceof Error || found instanceof Error) {
    require(expected instanceof Error && found instanceof Error, 'one way alone refuses a text');
  } else requireSame(found, expected, 'Encoder');
}

function convert(from: Codec, to: Codec, input: Input): void | Promise<void> {
  const errors = input.pick(policies);
  const isStream = input.below(16) === 1;
  const { parts, whole } = cut(input, readBytes);
  const expected = attempt(() => transcode(whole, from, to, { errors }), DecodeError);
  if (isStream && !(expected instanceof Error)) {
    const stream = new TranscoderStream(from, to, { errors });
    return drain(stream, parts as Uint8Array<ArrayBuffer>[]).then((found) =>
      requireSame(Buffer.concat(found), expected, 'TranscoderStream'),
    );
  }
  const transcoder = new Transcoder(from, to, { errors });
  const found = attempt(
    () => Buffer.concat([...parts.map((part) => transcoder.push(part)), transcoder.flush()]),
    DecodeError,
  );
  if (expected instanceof Error || found instanceof Error) {
    requireEqual(offsetOf(found), offsetOf(expected), 'Transcoder');
  } else requireSame(found, expected, 'Transcoder');
}

export const target: Target = {
  title: 'decoders, encoders, transcoders and their streams, cut anywhere, against one call',
  maxLength: 512,
  isAsync: true,
  *seeds() {
    for (const [i, bytes] of vectorInputs().entries()) {
      yield compose(
        bytes,
        i % codecs.length,
        i >> 4,
        i % 3,
        i % 6,
        i % 16,
        i % 12,
        i,
        i + 7,
        1,
        2,
        3,
      );
    }
  },
  run(input) {
    const codec = input.pick(codecs);
    const other = input.pick(codecs);
    const mode = input.below(3);
    if (mode === 0) return decode(codec, input);
    if (mode === 1) return encode(codec, input);
    return convert(codec, other, input);
  },
};

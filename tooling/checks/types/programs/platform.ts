// A program that combines web streams of the platform's types with a codec's: with DOM, and with Node's own
// types.
import {
  type Bytes,
  DecoderStream,
  EncoderStream,
  TextDecoderStream,
  TextEncoderStream,
} from '@utf8/strict';
import type { Equal, Owned } from './own.js';

declare const source: ReadableStream<Uint8Array>;

export const decoded = source.pipeThrough(new DecoderStream());
export const decodedType: Equal<typeof decoded, ReadableStream<string>> = true;
export const encoded = decoded.pipeThrough(new EncoderStream());
export const encodedType: Equal<typeof encoded, ReadableStream<Owned>> = true;
export const again = source
  .pipeThrough(new DecoderStream({ errors: 'replace' }))
  .pipeThrough(new EncoderStream())
  .pipeThrough(new DecoderStream());

export const readable: ReadableStream<string> = new DecoderStream().readable;
export const writable: WritableStream<Uint8Array> = new DecoderStream().writable;
export const output: ReadableStream<Uint8Array> = new EncoderStream().readable;
export const transform: TransformStream<Uint8Array, string> = new DecoderStream();
export const piped: Promise<void> = source.pipeTo(new DecoderStream().writable);
export const text: Promise<string | undefined> = new DecoderStream().readable
  .getReader()
  .read()
  .then(({ value }) => value);

declare const other: TransformStream<string, number>;
export const counted = new DecoderStream().readable.pipeThrough(other);
export const countedType: Equal<typeof counted, ReadableStream<number>> = true;
export const collected = new DecoderStream().readable.pipeTo(
  new WritableStream<string>({ write: (chunk) => void chunk.length }),
);

declare const shape: TransformStream<Bytes, string>;
export const ends: Pick<DecoderStream, 'readable' | 'writable'> = shape;

export const piping = source
  .pipeThrough(new TextDecoderStream())
  .pipeThrough(new TextEncoderStream());
export const pipingType: Equal<typeof piping, ReadableStream<Owned>> = true;

declare const numbers: ReadableStream<number>;
// @ts-expect-error Numbers are not bytes.
numbers.pipeThrough(new DecoderStream());
// @ts-expect-error Strings are not bytes.
decoded.pipeThrough(new DecoderStream());
// @ts-expect-error Bytes are not strings.
source.pipeThrough(new EncoderStream());

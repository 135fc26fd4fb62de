/** The codec of the text in frames. */
import type { Codec, CodecCore, ErrorPolicy, OwnBytes } from '@utf8/core';
import {
  createDecodePart,
  createDecodePrefix,
  createEncodeAt,
  createEncodeText,
  type DecodePart,
  type DecodePrefix,
  type EncodeAt,
  type TextCodec,
} from '@utf8/core/internal';
import { isUint8Array } from '@utf8/core/parts';
import { codec as mutf8 } from '../generated/index.js';

/** Options of all functions that read and write frames. */
export interface FrameOptions {
  /**
   * The encoding of the text: Modified UTF-8 by default. `@utf8/mutf8/data-input` reads what the JDK
   * reads, `@utf8/mutf8/android` what JNI passes on Android, `@utf8/cesu8/lenient` what Hessian and Kryo
   * write, `@utf8/strict` what Minecraft's Bedrock edition writes.
   */
  readonly codec?: CodecCore | Pick<Codec, 'name' | 'decode' | 'encode'> | undefined;
  /** What to do about faults, or what the encoding does not contain; `strict` by default. */
  readonly errors?: ErrorPolicy | undefined;
}

/** A codec as frames use it. */
interface Coder {
  readonly name: string;
  readonly encode: (text: string, options?: { errors?: ErrorPolicy }) => OwnBytes;
  readonly decodePart: DecodePart;
  /** Reads what is counted in code units, if the codec is one of this family. */
  readonly decodePrefix: DecodePrefix | undefined;
  /** Writes in place, if no text can be refused. */
  readonly inPlace: { readonly encodeAt: EncodeAt; readonly growth: number } | undefined;
}

const createCoder = (codec: TextCodec): Coder => ({
  // First, since it refuses anything else.
  encode: createEncodeText(codec),
  name: codec.name,
  decodePart: createDecodePart(codec),
  decodePrefix: createDecodePrefix(codec),
  inPlace: createEncodeAt(codec),
});

const modified: Coder = /* @__PURE__ */ createCoder(mutf8);

const coders = new WeakMap<TextCodec, Coder>();

/** The codec that options ask for. */
export function coderOf(options: FrameOptions | undefined): Coder {
  const codec = options?.codec;
  if (codec === undefined) return modified;
  let coder = coders.get(codec);
  if (!coder) {
    coder = createCoder(codec);
    coders.set(codec, coder);
  }
  return coder;
}

/**
 * What writes a text into a target in place, if that is sound: the text cannot be refused, and under the
 * policy it is encoded as under `strict`.
 */
export function inPlaceOf(
  text: string,
  target: Uint8Array,
  options: FrameOptions | undefined,
): Coder['inPlace'] {
  const { inPlace } = coderOf(options);
  const isSound = options?.errors === undefined || options.errors === 'strict';
  return isSound && typeof text === 'string' && isUint8Array(target) ? inPlace : undefined;
}

/** Encodes a text by the codec that options ask for. */
export function encodeText(text: string, options: FrameOptions | undefined): OwnBytes {
  const { encode } = coderOf(options);
  return options?.errors === undefined ? encode(text) : encode(text, { errors: options.errors });
}

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
   * The encoding of the text: Modified UTF-8 by default. Pass `@utf8/mutf8/data-input` to read as the JDK
   * does, `@utf8/mutf8/android` for JNI on Android, `@utf8/cesu8/lenient` for Hessian and Kryo, and
   * `@utf8/strict` for Minecraft's Bedrock edition.
   */
  readonly codec?: CodecCore | Pick<Codec, 'name' | 'decode' | 'encode'> | undefined;
  /** Policy for faults, and for characters that the encoding does not contain; `strict` by default. */
  readonly errors?: ErrorPolicy | undefined;
}

/** The functions of a codec that frames need. */
interface Coder {
  readonly name: string;
  readonly encode: (text: string, options?: { errors?: ErrorPolicy }) => OwnBytes;
  readonly decodePart: DecodePart;
  /** Reads text with a length in code units; undefined for codecs of other packages. */
  readonly decodePrefix: DecodePrefix | undefined;
  /** Writes in place; undefined if the codec may refuse a text. */
  readonly inPlace: { readonly encodeAt: EncodeAt; readonly growth: number } | undefined;
}

const createCoder = (codec: TextCodec): Coder => ({
  // First, because it throws if the value is not a codec.
  encode: createEncodeText(codec),
  name: codec.name,
  decodePart: createDecodePart(codec),
  decodePrefix: createDecodePrefix(codec),
  inPlace: createEncodeAt(codec),
});

const modified: Coder = /* @__PURE__ */ createCoder(mutf8);

const coders = new WeakMap<TextCodec, Coder>();

/** Returns the coder of the codec in the options. */
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
 * Returns the functions that write a text in place; undefined if the codec may refuse the text, or the policy
 * is not `strict`.
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

/** Encodes a text by the codec in the options. */
export function encodeText(text: string, options: FrameOptions | undefined): OwnBytes {
  const { encode } = coderOf(options);
  return options?.errors === undefined ? encode(text) : encode(text, { errors: options.errors });
}

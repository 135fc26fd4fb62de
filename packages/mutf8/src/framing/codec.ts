/** Which codec the text in a frame is in, and how frames read and write with it. */
import type { Codec, ErrorPolicy, OwnBytes } from '@utf8/core';
import {
  createDecodePart,
  createDecodePrefix,
  createEncodeAt,
  type DecodePart,
  type DecodePrefix,
  type EncodeAt,
} from '@utf8/core/internal';
import { isUint8Array } from '@utf8/core/make';
import { decode, encode, engine, name } from '../generated/index.js';

/** Options of all functions that read and write frames. */
export interface FrameOptions {
  /**
   * The encoding of the text: Modified UTF-8 by default. `@utf8/mutf8/data-input` reads what the JDK
   * reads, `@utf8/mutf8/android` what JNI passes on Android, `@utf8/cesu8/lenient` what Hessian and Kryo
   * write, `@utf8/strict` what Minecraft's Bedrock edition writes.
   */
  readonly codec?: Pick<Codec, 'name' | 'decode' | 'encode' | 'engine'> | undefined;
  /** What to do about faults, or what the encoding does not contain; `strict` by default. */
  readonly errors?: ErrorPolicy | undefined;
}

type FrameCodec = NonNullable<FrameOptions['codec']>;

/** A codec as frames use it. */
interface Coder {
  readonly codec: FrameCodec;
  readonly decodePart: DecodePart;
  /** Reads what is counted in code units, if the codec is one of this family. */
  readonly decodePrefix: DecodePrefix | undefined;
  /** Writes in place, if no text can be refused. */
  readonly inPlace: { readonly encodeAt: EncodeAt; readonly growth: number } | undefined;
}

const createCoder = (codec: FrameCodec): Coder => ({
  codec,
  decodePart: createDecodePart(codec),
  decodePrefix: createDecodePrefix(codec),
  inPlace: createEncodeAt(codec),
});

const modified: Coder = /* @__PURE__ */ createCoder({ name, decode, encode, engine });

const coders = new WeakMap<FrameCodec, Coder>();

/** The codec that options ask for. */
export function coderOf(options: FrameOptions | undefined): Coder {
  const codec = options?.codec;
  if (codec === undefined) return modified;
  let coder = coders.get(codec);
  if (!coder) {
    if (typeof codec?.decode !== 'function' || typeof codec.encode !== 'function') {
      throw new TypeError('The option codec is a codec, such as the module @utf8/strict.');
    }
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
  const { codec } = coderOf(options);
  return options?.errors === undefined
    ? codec.encode(text)
    : codec.encode(text, { errors: options.errors });
}

// A program that combines several packages: any two codecs, labels, frames and class files.
import * as cesu8 from '@utf8/cesu8';
import { readClass, replaceStrings } from '@utf8/classfile';
import { type Codec, Transcoder, TranscoderStream, transcode } from '@utf8/core';
import { codecFor, detect, labelFor } from '@utf8/detect';
import * as mutf8 from '@utf8/mutf8';
import {
  encodeCString,
  encodeDexString,
  encodeLongUTF,
  encodeUnits,
  encodeUTF,
  readUTF,
} from '@utf8/mutf8/framing';
import { artNewStringUTF, hotspotNewStringUTF } from '@utf8/mutf8/jni';
import { createRepairer } from '@utf8/repair';
import * as rfc2279 from '@utf8/rfc2279';
import * as strict from '@utf8/strict';
import type { Equal, Owned } from './own.js';

declare const bytes: Uint8Array;

export const codecs: Codec[] = [strict, cesu8, mutf8, rfc2279];
// A type of one variant is the type of the others.
export const policy: cesu8.ErrorPolicy = 'replace' as strict.ErrorPolicy;
export const codec: mutf8.Codec = strict;

export const transcoded: Owned = transcode(bytes, cesu8, strict, { errors: 'replace' });
export const transcodedType: Equal<ReturnType<typeof transcode>, Owned> = true;
export const transcoder = new Transcoder(cesu8, strict);
export const chunks: Owned[] = [transcoder.push(bytes), transcoder.flush()];
export const pushType: Equal<ReturnType<Transcoder['push']>, Owned> = true;
export const flushType: Equal<ReturnType<Transcoder['flush']>, Owned> = true;
export const stream = new TranscoderStream(cesu8, strict);
export const ends = [stream.readable, stream.writable];

export const frames: Owned[] = [encodeUTF('x'), encodeCString('x'), encodeDexString('x')];
export const encodeUTFType: Equal<ReturnType<typeof encodeUTF>, Owned> = true;
export const encodeCStringType: Equal<ReturnType<typeof encodeCString>, Owned> = true;
export const encodeDexStringType: Equal<ReturnType<typeof encodeDexString>, Owned> = true;
export const longFrame: Owned = encodeLongUTF('x');
export const encodeLongUTFType: Equal<ReturnType<typeof encodeLongUTF>, Owned> = true;
export const unitBytes: Owned = encodeUnits('x').bytes;
export const bedrock: Owned = encodeUTF('x', { codec: strict, endian: 'le' });
export const { text, next } = readUTF(bytes, 0, { codec: mutf8, errors: 'replace' });

export const made: string[] = [hotspotNewStringUTF(bytes), artNewStringUTF(bytes.buffer)];

export const found: Codec = codecFor(labelFor('CESU-8'));
export const report = detect(bytes);
export const classFile = readClass(bytes);
export const replaced: Owned = replaceStrings(bytes, () => undefined);
export const repairer = createRepairer;

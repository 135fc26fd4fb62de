/** Pairs of a peer and our codec that are compared. */
import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import type { Codec } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import * as android from '@utf8/mutf8/android';
import * as dataInput from '@utf8/mutf8/data-input';
import * as rfc2279 from '@utf8/rfc2279';
import * as lax from '@utf8/rfc2279/lax';
import * as strict from '@utf8/strict';
import * as wtf8 from '@utf8/wtf8';
import * as generalized from '@utf8/wtf8/generalized';
import {
  type Answer,
  decodePoints,
  decodeUnits,
  encodeUnits,
  escapeUnits,
  mendUnits,
  type Reader,
  type Sight,
  type Writer,
} from './answer.js';

export type CodecName =
  | 'strict'
  | 'cesu8'
  | 'cesu8/lenient'
  | 'mutf8'
  | 'mutf8/data-input'
  | 'mutf8/android'
  | 'wtf8'
  | 'wtf8/generalized'
  | 'rfc2279'
  | 'rfc2279/lax';

export const codecs: Readonly<Record<CodecName, Codec>> = {
  strict,
  cesu8,
  'cesu8/lenient': lenient,
  mutf8,
  'mutf8/data-input': dataInput,
  'mutf8/android': android,
  wtf8,
  'wtf8/generalized': generalized,
  rfc2279,
  'rfc2279/lax': lax,
};

/** One operation of a peer, and the codec of ours that should do the same. */
export type Comparison = {
  readonly peer: string;
  readonly operation: string;
  readonly codec: CodecName;
  readonly sight: Sight;
} & (
  | { readonly input: 'bytes'; readonly answer: (reader: Reader) => Answer }
  | { readonly input: 'texts'; readonly answer: (writer: Writer) => Answer }
);

function read(
  codec: CodecName,
  peer: string,
  operation: string,
  sight: Sight,
  answer: (reader: Reader) => Answer,
): Comparison {
  return { peer, operation, codec, sight, input: 'bytes', answer };
}

function write(
  codec: CodecName,
  peer: string,
  operation: string,
  sight: Sight,
  answer: (writer: Writer) => Answer = encodeUnits,
): Comparison {
  return { peer, operation, codec, sight, input: 'texts', answer };
}

/** Operations that repair have no fault to compare, so they specify `length`, and compare the whole result. */
export const comparisons: readonly Comparison[] = [
  read('strict', 'node', 'utf8.decode', 'acceptance', decodeUnits),
  read('strict', 'node', 'utf8.replace', 'length', mendUnits('replace')),
  read('strict', 'node', 'utf8.buffer', 'length', mendUnits('replace')),
  read('strict', 'jvm', 'utf8.decode', 'length', decodeUnits),
  read('strict', 'jvm', 'utf8.replace', 'length', mendUnits('replace')),
  read('strict', 'jvm', 'utf8.string', 'length', mendUnits('replace')),
  read('strict', 'icu', 'utf8.decode', 'length', decodeUnits),
  read('strict', 'icu', 'utf8.replace', 'length', mendUnits('replace')),
  read('strict', 'python', 'utf8.decode', 'length', decodeUnits),
  read('strict', 'python', 'utf8.replace', 'length', mendUnits('replace')),
  read('strict', 'python', 'utf8.surrogateescape', 'length', mendUnits('surrogateescape')),
  read('strict', 'python', 'utf8.backslashreplace', 'length', mendUnits('backslashreplace')),
  // Perl does not give the length: the rest of its source begins with the error.
  read('strict', 'perl', 'utf8.decode', 'offset', decodePoints),
  write('strict', 'jvm', 'utf8.encode', 'length'),
  write('strict', 'icu', 'utf8.encode', 'length'),
  // Python takes all lone surrogates in a row for one fault.
  write('strict', 'python', 'utf8.encode', 'offset'),
  write('strict', 'python', 'utf8.encode-backslashreplace', 'length', escapeUnits),

  read('cesu8', 'jvm', 'cesu8.decode', 'length', decodeUnits),
  read('cesu8', 'jvm', 'cesu8.replace', 'length', mendUnits('replace')),
  read('cesu8', 'icu', 'cesu8.decode', 'length', decodeUnits),
  read('cesu8', 'icu', 'cesu8.replace', 'length', mendUnits('replace')),
  write('cesu8', 'jvm', 'cesu8.encode', 'length'),
  write('cesu8', 'icu', 'cesu8.encode', 'length'),

  read('cesu8/lenient', 'jvm', 'cesu8.decode', 'length', decodeUnits),
  read('cesu8/lenient', 'jvm', 'cesu8.replace', 'length', mendUnits('replace')),
  read('cesu8/lenient', 'jvm', 'cesu8.string', 'length', mendUnits('replace')),
  read('cesu8/lenient', 'icu', 'cesu8.decode', 'length', decodeUnits),
  read('cesu8/lenient', 'icu', 'cesu8.replace', 'length', mendUnits('replace')),
  // Python knows a surrogate only when it has all three bytes, so the lengths of cut sequences differ.
  read('cesu8/lenient', 'python', 'utf8.surrogatepass', 'offset', decodeUnits),
  write('cesu8/lenient', 'icu', 'cesu8.encode', 'length'),

  // Neither the class loader nor readUTF says where the fault is.
  read('mutf8', 'jvm', 'class61', 'acceptance', decodeUnits),
  read('mutf8', 'jvm', 'class47', 'acceptance', decodeUnits),
  read('mutf8', 'jvm', 'readUTF', 'acceptance', decodeUnits),
  write('mutf8', 'jvm', 'writeUTF', 'length'),

  read('mutf8/data-input', 'jvm', 'readUTF', 'acceptance', decodeUnits),
  read('mutf8/data-input', 'jvm', 'class47', 'acceptance', decodeUnits),
  write('mutf8/data-input', 'jvm', 'writeUTF', 'length'),

  // ART decodes what it does not refuse, so acceptance shows in what is decoded.
  read('mutf8', 'art', 'dex.decode', 'acceptance', decodeUnits),
  write('mutf8', 'art', 'dex.encode', 'length'),
  read('mutf8/android', 'art', 'jni.decode', 'acceptance', decodeUnits),
  read('mutf8/android', 'art', 'dex.decode', 'acceptance', decodeUnits),
  write('mutf8/android', 'art', 'jni.encode', 'length'),

  // Neither package says where the fault is. The crate has strings, and decodes no bytes.
  read('wtf8', 'cto', 'wtf8.decode', 'acceptance', decodeUnits),
  read('wtf8', 'cto', 'wtf8.replace', 'length', mendUnits('replace')),
  read('wtf8', 'cto', 'wtf8.stream', 'length', mendUnits('replace')),
  read('wtf8', 'bynens', 'wtf8.decode', 'acceptance', decodeUnits),
  write('wtf8', 'cto', 'wtf8.encode', 'length'),
  write('wtf8', 'bynens', 'wtf8.encode', 'length'),
  write('wtf8', 'rust', 'wtf8.encode', 'length'),
  write('wtf8', 'rust', 'wtf8.push', 'length'),

  // As for cesu8/lenient, only the offset.
  read('wtf8/generalized', 'python', 'utf8.surrogatepass', 'offset', decodeUnits),
  write('wtf8/generalized', 'python', 'utf8.encode-surrogatepass', 'length'),

  read('rfc2279', 'iconv', 'utf8.decode', 'offset', decodePoints),
  read('rfc2279', 'perl', 'lax.decode', 'offset', decodePoints),

  read('rfc2279/lax', 'perl', 'lax.decode', 'offset', decodePoints),
  read('rfc2279/lax', 'lua', 'lax.decode', 'offset', decodePoints),
];

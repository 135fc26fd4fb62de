// Every use of a codec's types. A test compiles this for each codec, whose name replaces the one below,
// in an application that depends only on that codec's package. Everything is exported, so that the
// compiler must emit each type.
import * as codec from '@utf8/strict';
import {
  type Bytes,
  byteLength,
  type Codec,
  ceilBoundary,
  compare,
  countCodePoints,
  DecodeError,
  type DecodeOptions,
  Decoder,
  DecoderStream,
  decode,
  decodeCodePoints,
  decodedLength,
  EncodeError,
  type EncodeOptions,
  Encoder,
  EncoderStream,
  type ErrorPolicy,
  encode,
  encodeCodePoints,
  encodeInto,
  type Fault,
  type FaultReason,
  faults,
  findFault,
  floorBoundary,
  type Grammar,
  grammar,
  isValid,
  name,
  TextDecoder,
  type TextDecoderOptions,
  TextDecoderStream,
  TextEncoder,
  TextEncoderStream,
  truncate,
} from '@utf8/strict';
import type { Equal, Owned, OwnedCodePoints } from './own.js';

declare const bytes: Uint8Array;

// The module is a codec.
export const satisfied: Codec = codec;
export const whole = codec;
export const copy = { ...codec };
export const { decode: destructured } = codec;
export const names: string = name;
export const rows: Grammar = grammar;

// Accepted inputs.
export const inputs: Bytes[] = [
  new ArrayBuffer(1),
  new SharedArrayBuffer(1),
  bytes,
  bytes.subarray(1),
  new DataView(new ArrayBuffer(1)),
  new Float64Array(1),
];
export const texts = inputs.map((input) => decode(input));
// @ts-expect-error An array of numbers is not bytes.
decode([0x61]);
// @ts-expect-error A string is not bytes.
isValid('a');

// Options, each of which may be undefined.
export const decodeOptions: DecodeOptions = { errors: 'replace', bom: 'strip' };
export const encodeOptions: EncodeOptions = { errors: 'surrogateescape' };
export const text: string = decode(bytes, decodeOptions);
export const undefinedOptions = decode(bytes, { errors: undefined, bom: undefined });
export const policies: ErrorPolicy[] = [
  'strict',
  'replace',
  'ignore',
  'backslashreplace',
  'surrogateescape',
  (fault: Fault, input: Uint8Array) => fault.reason + input.length,
];
export const bytesType: Equal<Parameters<typeof decode>[0], Bytes> = true;
export const optionsType: Equal<NonNullable<Parameters<typeof decode>[1]>, DecodeOptions> = true;
export const encodeOptionsType: Equal<
  NonNullable<Parameters<typeof encode>[1]>,
  EncodeOptions
> = true;
// @ts-expect-error There is no such policy.
decode(bytes, { errors: 'fatal' });
// @ts-expect-error There is no such option.
encode('x', { bom: 'strip' });

// Results that own their memory.
export const owned: Owned = encode('x', encodeOptions);
export const encodeType: Equal<ReturnType<typeof encode>, Owned> = true;
export const ownedPoints: Owned = encodeCodePoints([0x61]);
export const encodeCodePointsType: Equal<ReturnType<typeof encodeCodePoints>, Owned> = true;
export const ownedChunk: Owned = new Encoder().encode('x', { stream: true });
export const encoderType: Equal<ReturnType<Encoder['encode']>, Owned> = true;
export const points: OwnedCodePoints = decodeCodePoints(bytes, decodeOptions);

// The other functions.
export const { read, written } = encodeInto('x', bytes, encodeOptions);
export const progress: { read: number; written: number } = encodeInto('x', bytes);
export const lengths: number[] = [
  byteLength('x', encodeOptions),
  decodedLength(bytes, decodeOptions),
  countCodePoints(bytes),
  floorBoundary(bytes, 1),
  ceilBoundary(bytes, 1),
  compare(bytes, bytes),
  compare(bytes, bytes, 'code units'),
];
export const sorted = inputs.sort(compare);
export const valid: boolean = isValid(bytes);
export const view: Uint8Array = truncate(bytes, 1);
export const ownedView: Owned = truncate(encode('x'), 1);
export const viewOfBuffer: Uint8Array = truncate(bytes.buffer, 1);

// Faults.
export const fault = findFault(bytes, 1);
export const firstFault: Fault | undefined = fault;
export const allFaults = faults(bytes);
export const listed: Fault[] = [...allFaults];
export const reasons: FaultReason[] = [
  'unexpected-continuation',
  'invalid-lead',
  'truncated',
  'overlong',
  'surrogate',
  'too-large',
  'wrong-form',
  'unrepresentable',
];
export const describe = ({ offset, length, reason, incomplete }: Fault): string =>
  `${offset.toFixed()} ${length.toFixed()} ${reason satisfies FaultReason} ${incomplete === true}`;
export const frozen = (each: Fault): void => {
  // @ts-expect-error Faults are frozen.
  each.offset = 0;
};

// Errors.
declare const decodeError: DecodeError;
declare const encodeError: EncodeError;
export const thrown: TypeError & Fault = decodeError;
export const decodeCode: 'ERR_UTF8_DECODE' = decodeError.code;
export const encodeCode: 'ERR_UTF8_ENCODE' = encodeError.code;
export const place: number[] = [encodeError.offset, encodeError.codePoint];
export const encodings: string[] = [decodeError.encoding, encodeError.encoding];
export function narrow(error: unknown) {
  if (error instanceof DecodeError) return error.reason;
  if (error instanceof EncodeError) return error.codePoint;
  return undefined;
}

// Coders.
export const d = new Decoder();
export const e = new Encoder();
export const decoder: Decoder = new Decoder(decodeOptions);
export const encoder: Encoder = new Encoder(encodeOptions);
export const coderNames: string[] = [d.encoding, e.encoding];
// @ts-expect-error A label is an argument of the drop-ins alone.
new Decoder(name);
// @ts-expect-error Its options are those of decode().
new Decoder({ fatal: true });
export const last: string = d.decode(bytes, { stream: true }) + d.decode();
export class Subclass extends Decoder {}

// Drop-ins.
export const textOptions: TextDecoderOptions = { fatal: true, ignoreBOM: undefined };
export const t: TextDecoder = new TextDecoder(name, textOptions);
export const state: [string, boolean, boolean] = [t.encoding, t.fatal, t.ignoreBOM];
export const replaced: string = t.decode(bytes, { stream: true }) + new TextDecoder().decode();
export const textEncoder: TextEncoder = new TextEncoder();
export const encodedText: Owned = textEncoder.encode('x');
export const copied: { read: number; written: number } = textEncoder.encodeInto('x', bytes);
export class TextSubclass extends TextDecoder {}
// @ts-expect-error Its options are the platform's.
new TextDecoder(name, { errors: 'replace' });

// Streams, without the platform's types.
export const decoderStream = new DecoderStream(decodeOptions);
export const encoderStream = new EncoderStream(encodeOptions);
export const streams: [DecoderStream, EncoderStream] = [decoderStream, encoderStream];
export const textStreams: [TextDecoderStream, TextEncoderStream] = [
  new TextDecoderStream(name, textOptions),
  new TextEncoderStream(),
];
export const encodingOfStream: string = decoderStream.encoding;
export const ends = [decoderStream.readable, decoderStream.writable, encoderStream.readable];
export const writing: Promise<void> = decoderStream.writable.getWriter().write(bytes);

// Functions of an application whose types the compiler infers.
export const f = (x: Parameters<typeof decode>[0]) => decode(x);
export const make = () => ({ decode, encode, decoder: new Decoder(), faults: [...faults(bytes)] });
export const alias = decode;
export async function later() {
  return { fault: findFault(bytes), bytes: encode('x'), grammar };
}

/**
 * The definition language of the UTF-8 family, and what concerns more than one codec.
 *
 * @packageDocumentation
 */
export { type Bytes, type OwnBytes, toUint8Array } from './argument/bytes.js';
export type { Codec, CodecCore, CodePoints, DecodeOptions, EncodeOptions } from './codec/codec.js';
export type {
  Decoder,
  DecoderConstructor,
  DecoderOptions,
  DecoderStream,
  DecoderStreamConstructor,
  Encoder,
  EncoderConstructor,
  EncoderOptions,
  EncoderStream,
  EncoderStreamConstructor,
} from './codec/coder.js';
export { createCodec } from './create-codec.js';
export { DecodeError, EncodeError } from './fault/error.js';
export type { Fault } from './fault/fault.js';
export type { ErrorPolicy } from './fault/policy.js';
export { pairSurrogates } from './grammar/characters.js';
export type { Domain } from './grammar/domain.js';
export { formatBytes, formatCodePoint } from './grammar/format.js';
export { defineGrammar, type Grammar } from './grammar/grammar.js';
export { GrammarError } from './grammar/grammar-error.js';
export type { FaultReason } from './grammar/reason.js';
export { type ByteRange, formatRow, type Row, type Unit } from './grammar/row.js';
export { Transcoder, TranscoderStream } from './stream/transcoder.js';
export { type TranscodeOptions, transcode } from './transcode.js';

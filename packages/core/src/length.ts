import { toUint8Array } from './argument/bytes.js';
import { checkText } from './argument/check.js';
import type { Codec } from './codec/codec.js';
import { DECODE_OPTIONS, decodeInto, measureBom, stripsBom } from './decode.js';
import { createSink, ENCODE_OPTIONS, encodeTo } from './encode.js';
import { type Encoding, encodingFor } from './encoding.js';
import { ARGUMENTS } from './fast/limits.js';
import { LengthSink } from './fast/text.js';
import { checkPolicy } from './fault/policy.js';
import { CountingSink } from './rows/byte-sink.js';

export function createByteLength(encoding: Encoding): Codec['byteLength'] {
  return (text, options) => {
    checkText(text);
    const policy = checkPolicy(options, ENCODE_OPTIONS);
    const sink = new CountingSink(
      createSink(encoding, policy, Math.min(text.length, ARGUMENTS)).memory,
    );
    encodeTo(sink, encodingFor(encoding, policy), text, policy, 0);
    return sink.total;
  };
}

export function createDecodedLength(encoding: Encoding): Codec['decodedLength'] {
  return (input, options) => {
    const policy = checkPolicy(options, DECODE_OPTIONS);
    const strips = stripsBom(options?.bom);
    const bytes = toUint8Array(input);
    const from = strips ? measureBom(encoding, bytes) : 0;
    const sink = new LengthSink(encoding.kernel, bytes.length);
    decodeInto(sink, encodingFor(encoding, policy), bytes, from, policy, 0, true);
    return sink.total;
  };
}

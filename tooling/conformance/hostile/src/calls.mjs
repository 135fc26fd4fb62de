// Calls of codecs, without any function of the language that could have been replaced.

import { Transcoder, transcode } from '@utf8/core';
import { readUTF, writeUTF } from '@utf8/mutf8/framing';
import * as strict from '@utf8/strict';

const policy = (fault, bytes) => `<${fault.offset} ${fault.reason} ${bytes.length}>`;

const decoding = {
  decode: (codec, bytes, options) => codec.decode(bytes, options),
  decodedLength: (codec, bytes, options) => codec.decodedLength(bytes, options),
  decodeCodePoints: (codec, bytes, options) => codec.decodeCodePoints(bytes, options),
  Decoder: (codec, bytes, options) => new codec.Decoder(options).decode(bytes),
  'Decoder in two chunks': (codec, bytes, options) => {
    const decoder = new codec.Decoder(options);
    const first = decoder.decode(new Uint8Array(bytes.buffer, 0, 5 < bytes.length ? 5 : 1), {
      stream: true,
    });
    return first + decoder.decode(new Uint8Array(bytes.buffer, 5 < bytes.length ? 5 : 1));
  },
  transcode: (codec, bytes, options) => transcode(bytes, codec, strict, options),
  'transcode to itself': (codec, bytes, options) => transcode(bytes, codec, codec, options),
  Transcoder: (codec, bytes, options) => new Transcoder(codec, strict, options).push(bytes),
};

const examining = {
  TextDecoder: (codec, bytes) => new codec.TextDecoder().decode(bytes),
  isValid: (codec, bytes) => codec.isValid(bytes),
  findFault: (codec, bytes) => codec.findFault(bytes),
  faults: (codec, bytes) => {
    const faults = codec.faults(bytes)[Symbol.iterator]();
    let text = '';
    for (let next = faults.next(); !next.done; next = faults.next()) {
      text += `${next.value.offset} ${next.value.length} ${next.value.reason} ${next.value.incomplete},`;
    }
    return text;
  },
  countCodePoints: (codec, bytes) => codec.countCodePoints(bytes),
  floorBoundary: (codec, bytes) => codec.floorBoundary(bytes, 4),
  ceilBoundary: (codec, bytes) => codec.ceilBoundary(bytes, 4),
  truncate: (codec, bytes) => codec.truncate(bytes, 4),
  compare: (codec, bytes) => codec.compare(bytes, bytes),
};

const encoding = {
  encode: (codec, text, options) => codec.encode(text, options),
  encodeInto: (codec, text, options) => {
    const target = new Uint8Array(3 * text.length + 60);
    // Bytes after the result do not count.
    return target.fill(0, codec.encodeInto(text, target, options).written);
  },
  'encodeInto with little room': (codec, text, options) => {
    const target = new Uint8Array(text.length);
    // Bytes after the result do not count.
    return target.fill(0, codec.encodeInto(text, target, options).written);
  },
  byteLength: (codec, text, options) => codec.byteLength(text, options),
  Encoder: (codec, text, options) => new codec.Encoder(options).encode(text),
  TextEncoder: (codec, text) => new codec.TextEncoder().encode(text),
};

function exchangeFrame(text) {
  const target = new Uint8Array(6 * text.length + 2);
  const end = writeUTF(text, target);
  return `${end} ${readUTF(target).text}`;
}

const decodingNames = Object.keys(decoding);
const examiningNames = Object.keys(examining);
const encodingNames = Object.keys(encoding);

/**
 * @param codecs - Pairs of a name and a codec.
 * @returns What does everything, given inputs and what takes each call: `record(name, run)`.
 */
export function listCalls(codecs) {
  return ({ bytes, texts, codePoints }, record) => {
    for (let c = 0; c < codecs.length; c++) {
      const title = codecs[c][0];
      const codec = codecs[c][1];
      const withPolicies = (name, call, input) => {
        record(name, () => call(codec, input, undefined));
        record(`${name} replace`, () => call(codec, input, { errors: 'replace' }));
        record(`${name} function`, () => call(codec, input, { errors: policy }));
      };
      for (let k = 0; k < decodingNames.length; k++) {
        const name = decodingNames[k];
        for (let i = 0; i < bytes.length; i++) {
          withPolicies(`${title} ${name} ${i}`, decoding[name], bytes[i]);
        }
      }
      for (let k = 0; k < examiningNames.length; k++) {
        const name = examiningNames[k];
        for (let i = 0; i < bytes.length; i++) {
          record(`${title} ${name} ${i}`, () => examining[name](codec, bytes[i]));
        }
      }
      for (let k = 0; k < encodingNames.length; k++) {
        const name = encodingNames[k];
        for (let i = 0; i < texts.length; i++) {
          withPolicies(`${title} ${name} ${i}`, encoding[name], texts[i]);
        }
      }
      record(`${title} encodeCodePoints`, () => codec.encodeCodePoints(codePoints));
    }
    for (let i = 0; i < texts.length; i++) record(`frame ${i}`, () => exchangeFrame(texts[i]));
  };
}

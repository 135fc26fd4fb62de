// A program that passes the results of a codec to functions of browsers.
import {
  DecoderStream,
  Encoder,
  EncoderStream,
  encode,
  encodeCodePoints,
  TextDecoder,
  TextDecoderStream,
  TextEncoder,
  TextEncoderStream,
} from '@utf8/strict';

export const blob = new Blob([encode('x'), encodeCodePoints([0x61]), new Encoder().encode('x')]);
export const response = new Response(encode('x'));
export const streamed = new Response(new EncoderStream().readable);
export const request = fetch('https://example.org', { method: 'POST', body: encode('x') });
export const digest = crypto.subtle.digest('SHA-256', encode('x'));
export const pair: GenericTransformStream = new DecoderStream();
export async function download() {
  const { body } = await fetch('https://example.org');
  return body?.pipeThrough(new DecoderStream());
}

// The drop-ins may replace the platform's classes.
globalThis.TextDecoder = TextDecoder;
globalThis.TextEncoder = TextEncoder;
globalThis.TextDecoderStream = TextDecoderStream;
globalThis.TextEncoderStream = TextEncoderStream;
export const instances: [
  InstanceType<typeof globalThis.TextDecoder>,
  InstanceType<typeof globalThis.TextEncoder>,
] = [new TextDecoder('utf-8', { fatal: true }), new TextEncoder()];

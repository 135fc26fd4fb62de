/** The packages of npm that implement WTF-8, as peers without a process of their own. */
import { createRequire } from 'node:module';
import { Wtf8Decoder, Wtf8Encoder } from '@cto.af/wtf8';
import { formatBytes, formatUnits } from './answer.js';
import { createLocalPeer } from './local-peer.js';
import type { Peer } from './peer.js';

const require = createRequire(import.meta.url);

/** Its bytes are strings of U+0000..U+00FF. */
const bynensWtf8: {
  readonly version: string;
  decode(bytes: string): string;
  encode(text: string): string;
} = require('wtf-8');

const toText = (units: Uint8Array): string => Buffer.from(units).swap16().toString('utf16le');

const answerOrFault =
  (decode: (bytes: Uint8Array) => string) =>
  (bytes: Uint8Array): string => {
    try {
      return `ok ${formatUnits(decode(bytes))}`;
    } catch {
      return 'fault - -';
    }
  };

/**
 * The options for all comparisons. A U+FEFF is dropped otherwise, after ASCII too, not only at the start.
 * The buffer of each decoder has 4,096 code units otherwise, more than these inputs need.
 */
const options = { ignoreBOM: true, bufferSize: 64 };

/** @cto.af/wtf8, with U+FFFD for bytes that it does not decode. */
export function replaceByCto(chunks: readonly Uint8Array[]): string {
  const decoder = new Wtf8Decoder('wtf-8', options);
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode();
}

const fatal = new Wtf8Decoder('wtf-8', { ...options, fatal: true });
const encoder = new Wtf8Encoder();

/** @cto.af/wtf8. */
export const encodeByCto = (text: string): Uint8Array => encoder.encode(text);

/** @cto.af/wtf8. */
export const cto: Peer = createLocalPeer('cto', '@cto.af/wtf8', {
  'wtf8.decode': answerOrFault((bytes) => fatal.decode(bytes)),
  'wtf8.replace': (bytes) => `ok ${formatUnits(replaceByCto([bytes]))}`,
  'wtf8.stream': (bytes) => {
    const chunks = Array.from(bytes, (byte) => Uint8Array.of(byte));
    return `ok ${formatUnits(replaceByCto(chunks))}`;
  },
  'wtf8.encode': (units) => `ok ${formatBytes(encodeByCto(toText(units)))}`,
});

/** wtf-8 of Mathias Bynens. */
export const encodeByBynens = (text: string): Uint8Array =>
  Buffer.from(bynensWtf8.encode(text), 'latin1');

/** wtf-8 of Mathias Bynens. */
export const decodeByBynens = (bytes: Uint8Array): string =>
  bynensWtf8.decode(Buffer.from(bytes).toString('latin1'));

/** wtf-8 of Mathias Bynens. It throws at the first fault, and has no replacement. */
export const bynens: Peer = createLocalPeer('bynens', `wtf-8 ${bynensWtf8.version}`, {
  'wtf8.decode': answerOrFault(decodeByBynens),
  'wtf8.encode': (units) => `ok ${formatBytes(encodeByBynens(toText(units)))}`,
});

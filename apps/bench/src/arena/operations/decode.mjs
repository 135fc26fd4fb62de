/** Bytes to a string, malformed ones refused. */
import { ours } from '../contestant.mjs';
import { peer, platform } from '../peers.mjs';

/**
 * Inputs that every strict decoder refuses: a byte that is never valid, a truncated sequence, an overlong
 * one.
 */
export const malformed = () => [
  Uint8Array.of(0x41, 0xff),
  Uint8Array.of(0x41, 0xe2, 0x82),
  Uint8Array.of(0xc0, 0xaf),
];

const fatal = () => ({
  decoder: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }),
  more: { stream: true },
});

/** @type {import('../contestant.mjs').Operation} */
export const decode = {
  name: 'decode',
  title: 'bytes to a string, strict',
  input: (item, variant) => item.bytes(variant),
  expected: (item) => item.text,
  malformed,
  contestants: [
    ...ours('return codec.decode(input);'),
    platform('TextDecoder fatal', 'return decoder.decode(input);', fatal),
    platform('TextDecoder stream', 'return decoder.decode(input, more);', fatal, {
      remark: 'fatal, with { stream: true }: another native path',
    }),
    platform('TextDecoder', 'return decoder.decode(input);', () => ({
      decoder: new TextDecoder('utf-8', { ignoreBOM: true }),
    })),
    platform(
      'Buffer',
      "return from(input.buffer, input.byteOffset, input.length).toString('utf8');",
      () => ({ from: Buffer.from }),
      { remark: 'toString' },
    ),
    peer(
      '@exodus/bytes',
      'utf-8',
      'return utf8toString(input);',
      ({ utf8toString }) => ({
        utf8toString,
      }),
      { largest: Infinity },
    ),
    peer('iconv-lite', 'cesu-8', "return peer.decode(input, 'cesu8', keep);", (iconv) => ({
      peer: iconv,
      keep: { stripBOM: false },
    })),
    peer('mutf-8', 'mutf-8', 'return decoder.decode(input);', ({ MUtf8Decoder }) => ({
      decoder: new MUtf8Decoder('mutf-8', { fatal: true, ignoreBOM: true }),
    })),
    peer('@cto.af/wtf8', 'wtf-8', 'return decoder.decode(input);', ({ Wtf8Decoder }) => ({
      decoder: new Wtf8Decoder('wtf-8', { fatal: true, ignoreBOM: true }),
    })),
    peer(
      'utf8',
      'utf-8',
      "return peer.decode(from(input.buffer, input.byteOffset, input.length).toString('latin1'));",
      (utf8) => ({ peer: utf8, from: Buffer.from }),
      { remark: 'takes bytes as characters, so making those counts' },
    ),
    peer('@protobufjs/utf8', 'utf-8', 'return peer.read(input, 0, input.length);', (utf8) => ({
      peer: utf8,
    })),
  ],
};

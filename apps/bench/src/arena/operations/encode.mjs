/** A string to bytes of its own. */
import { ours } from '../contestant.mjs';
import { peer, platform } from '../peers.mjs';

/** @type {import('../contestant.mjs').Operation} */
export const encode = {
  name: 'encode',
  title: 'a string to bytes',
  input: (item) => item.text,
  expected: (item, variant) => item.bytes(variant),
  contestants: [
    ...ours('return codec.encode(input);'),
    platform('TextEncoder', 'return encoder.encode(input);', () => ({
      encoder: new TextEncoder(),
    })),
    platform('Buffer', 'return from(input);', () => ({ from: Buffer.from }), {
      remark: 'from; small results share a pool',
    }),
    peer(
      '@exodus/bytes',
      'utf-8',
      'return utf8fromString(input);',
      ({ utf8fromString }) => ({
        utf8fromString,
      }),
      { largest: Infinity },
    ),
    peer('iconv-lite', 'cesu-8', "return peer.encode(input, 'cesu8');", (iconv) => ({
      peer: iconv,
    })),
    peer('mutf-8', 'mutf-8', 'return encoder.encode(input);', ({ MUtf8Encoder }) => ({
      encoder: new MUtf8Encoder(),
    })),
    peer('@cto.af/wtf8', 'wtf-8', 'return encoder.encode(input);', ({ Wtf8Encoder }) => ({
      encoder: new Wtf8Encoder(),
    })),
    peer(
      'utf8',
      'utf-8',
      "return from(peer.encode(input), 'latin1');",
      (utf8) => ({
        peer: utf8,
        from: Buffer.from,
      }),
      { remark: 'gives bytes as characters, so making bytes of those counts' },
    ),
    peer(
      '@protobufjs/utf8',
      'utf-8',
      'const bytes = new Uint8Array(peer.length(input)); peer.write(input, bytes, 0); return bytes;',
      (utf8) => ({ peer: utf8 }),
    ),
  ],
};

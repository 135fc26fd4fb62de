/** Bytes to a string in chunks with arbitrary ends. */
import { codecs, isProfile } from '../codecs.mjs';
import { ours } from '../contestant.mjs';
import { peer, platform } from '../peers.mjs';
import { own } from '../reference.mjs';

/** A prime number, so that chunks end within characters. */
const CHUNK = 4093;

/** @param {Uint8Array} bytes */
const cut = (bytes) =>
  Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, i) =>
    own(bytes.subarray(i * CHUNK, (i + 1) * CHUNK)),
  );

const more = { stream: true };
const fatal = { fatal: true, ignoreBOM: true };

const body = (/** @type {string} */ made) => `
  const decoder = ${made};
  let text = '';
  for (const chunk of input) text += decoder.decode(chunk, more);
  return text + decoder.decode();`;

/** @type {import('../contestant.mjs').Operation} */
export const stream = {
  name: 'stream',
  title: `bytes to a string, in chunks of ${CHUNK} bytes`,
  sizes: [64 * 1024, 1024 * 1024],
  input: (item, variant) => item.once(`chunks of ${variant}`, () => cut(item.bytes(variant))),
  expected: (item) => item.text,
  malformed: () => [[Uint8Array.of(0x41), Uint8Array.of(0xe2, 0x82)]],
  contestants: [
    ...ours(body('new codec.Decoder()'), {
      only: codecs.filter(({ name }) => !isProfile(name)),
      extra: { more },
    }),
    platform('TextDecoder fatal', body("new TextDecoder('utf-8', fatal)"), () => ({ fatal, more })),
    platform('TextDecoder', body("new TextDecoder('utf-8', lax)"), () => ({
      lax: { ignoreBOM: true },
      more,
    })),
    peer(
      'iconv-lite',
      'cesu-8',
      `
      const decoder = peer.getDecoder('cesu8', keep);
      let text = '';
      for (const chunk of input) text += decoder.write(chunk);
      return text + (decoder.end() || '');`,
      (iconv) => ({ peer: iconv, keep: { stripBOM: false } }),
    ),
    peer(
      'mutf-8',
      'mutf-8',
      `
      const decoder = new MUtf8Decoder('mutf-8', fatal);
      let text = '';
      for (const chunk of input) text += decoder.decode(chunk, more);
      return text + decoder.decode(NOTHING);`,
      ({ MUtf8Decoder }) => ({
        MUtf8Decoder,
        fatal,
        more,
        NOTHING: new Uint8Array(0),
      }),
    ),
    peer('@cto.af/wtf8', 'wtf-8', body("new Wtf8Decoder('wtf-8', fatal)"), ({ Wtf8Decoder }) => ({
      Wtf8Decoder,
      fatal,
      more,
    })),
  ],
};

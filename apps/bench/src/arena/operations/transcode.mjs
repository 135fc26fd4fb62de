/** Bytes of one variant to bytes of another. */
import { peer, platform } from '../peers.mjs';
import { malformed } from './decode.mjs';

/** @typedef {import('../codecs.mjs').Variant} Variant */

/** @type {readonly { name: string, from: string, variant: Variant, to: string, target: Variant }[]} */
const routes = [
  { name: 'cesu8 → utf8', from: 'cesu8', variant: 'cesu-8', to: 'strict', target: 'utf-8' },
  {
    name: 'cesu8/lite → utf8',
    from: 'cesu8/lite',
    variant: 'cesu-8',
    to: 'strict/lite',
    target: 'utf-8',
  },
  { name: 'mutf8 → utf8', from: 'mutf8', variant: 'mutf-8', to: 'strict', target: 'utf-8' },
  { name: 'wtf8 → utf8', from: 'wtf8', variant: 'wtf-8', to: 'strict', target: 'utf-8' },
  { name: 'rfc2279 → utf8', from: 'rfc2279', variant: 'rfc2279', to: 'strict', target: 'utf-8' },
  { name: 'mixed → utf8', from: 'cesu8/mixed', variant: 'mixed', to: 'strict', target: 'utf-8' },
  { name: 'utf8 → cesu8', from: 'strict', variant: 'utf-8', to: 'cesu8', target: 'cesu-8' },
];

/** @type {import('../contestant.mjs').Operation} */
export const transcode = {
  name: 'transcode',
  title: 'bytes of one variant to bytes of another',
  input: (item, variant) => item.bytes(variant),
  expected: (item) => item.bytes('utf-8'),
  malformed,
  contestants: [
    ...routes.map((route) => ({
      name: route.name,
      group: /** @type {const} */ ('ours'),
      codec: route.name === 'utf8 → cesu8' ? 'cesu8' : route.from,
      variant: route.variant,
      largest: route.from.endsWith('/lite') ? 64 * 1024 : Infinity,
      modules: ['@utf8/core', `@utf8/${route.from}`, `@utf8/${route.to}`],
      scope: (/** @type {any[]} */ [{ transcode }, from, to]) => ({ transcode, from, to }),
      body: 'return transcode(input, from, to);',
      expected: (/** @type {import('../material.mjs').Item} */ item) => item.bytes(route.target),
      ...(route.variant === 'mixed' ? { remark: 'every other pair in six bytes' } : {}),
    })),
    platform(
      'native decode + encode',
      'return encoder.encode(decoder.decode(input));',
      () => ({
        decoder: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }),
        encoder: new TextEncoder(),
      }),
      { remark: 'on UTF-8 of the same text, having no other' },
    ),
    peer(
      'iconv-lite',
      'cesu-8',
      "return peer.encode(peer.decode(input, 'cesu8', keep), 'utf8');",
      (iconv) => ({ peer: iconv, keep: { stripBOM: false } }),
    ),
    peer(
      'mutf-8',
      'mutf-8',
      'return encoder.encode(decoder.decode(input));',
      ({ MUtf8Decoder }) => ({
        decoder: new MUtf8Decoder('mutf-8', { fatal: true, ignoreBOM: true }),
        encoder: new TextEncoder(),
      }),
      { remark: 'decode, then TextEncoder' },
    ),
  ],
};

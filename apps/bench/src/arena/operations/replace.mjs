/** Malformed bytes to a string, with U+FFFD for each: one error in each KiB, or only errors. */
import { mainCodecs, spellingOf } from '../codecs.mjs';
import { ours } from '../contestant.mjs';
import { Item } from '../material.mjs';
import { peer, platform } from '../peers.mjs';
import { randomNumbers } from '../random.mjs';
import { encode } from '../reference.mjs';

/** @typedef {import('../codecs.mjs').Variant} Variant */

/** One error each, in every variant, if no lead precedes and no trail follows. */
const FAULTS = [[0xff], [0xe2, 0x82], [0x80], [0xfe]];

const SPACING = 1024;

/** The corpus of nothing but faults. */
export const MALFORMED = 'malformed';

/**
 * A text that has a fault after each KiB or so, as bytes and as the expected text.
 *
 * @param {Item} item
 * @param {Variant} variant
 */
function damage(item, variant) {
  return item.once(`damaged ${variant}`, () => {
    const parts = [];
    let text = '';
    let faults = 0;
    for (let from = 0; from < item.text.length; ) {
      const to = endOfKiB(item.text, from);
      const piece = item.text.slice(from, to);
      const fault = FAULTS[faults++ % FAULTS.length] ?? [];
      parts.push(encode(piece, spellingOf(variant)), Uint8Array.from(fault));
      text += `${piece}\ufffd`;
      from = to;
    }
    return { bytes: concatenate(parts), text };
  });
}

/** @param {readonly Uint8Array[]} parts */
function concatenate(parts) {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Returns the end of some KiB of UTF-8, not within a pair. @param {string} text @param {number} from */
function endOfKiB(text, from) {
  let bytes = 0;
  let i = from;
  for (; i < text.length && bytes < SPACING; i++) {
    const point = /** @type {number} */ (text.codePointAt(i));
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (point > 0xffff) i++;
  }
  return i;
}

/** Returns bytes that are one error each in every variant. @param {number} size @param {number} count */
export function makeMalformed(size, count) {
  const random = randomNumbers(size);
  return Array.from({ length: count }, () => {
    const item = new Item('\ufffd'.repeat(size));
    const bytes = Uint8Array.from({ length: size }, () =>
      random() < 0.1 ? 0xfe + Math.floor(random() * 2) : 0x80 + Math.floor(random() * 64),
    );
    for (const variant of [...mainCodecs.map((codec) => codec.variant), 'clean']) {
      item.once(`damaged ${variant}`, () => ({ bytes, text: item.text }));
    }
    return item;
  });
}

/** @type {import('../contestant.mjs').Operation} */
export const replace = {
  name: 'replace',
  title: 'malformed bytes to a string with U+FFFD',
  sizes: [64 * 1024, 1024 * 1024],
  input: (item, variant) => damage(item, variant).bytes,
  expected: (item, variant) => damage(item, variant).text,
  contestants: [
    ...ours('return codec.decode(input, replace);', {
      only: mainCodecs,
      extra: { replace: { errors: 'replace' } },
    }),
    ...ours('return codec.decode(input, replace);', {
      only: mainCodecs,
      extra: { replace: { errors: 'replace' } },
    }).map((contestant) => ({
      ...contestant,
      name: `${contestant.name}, clean`,
      codec: contestant.name,
      remark: 'the same call on the text without faults',
      input: (/** @type {Item} */ item) => item.bytes(contestant.variant),
      expected: (/** @type {Item} */ item) => item.text,
    })),
    platform('TextDecoder', 'return decoder.decode(input);', () => ({
      decoder: new TextDecoder('utf-8', { ignoreBOM: true }),
    })),
    platform(
      'Buffer',
      "return from(input.buffer, input.byteOffset, input.length).toString('utf8');",
      () => ({ from: Buffer.from }),
      { remark: 'toString' },
    ),
    peer('iconv-lite', 'cesu-8', "return peer.decode(input, 'cesu8', keep);", (iconv) => ({
      peer: iconv,
      keep: { stripBOM: false },
    })),
    peer('mutf-8', 'mutf-8', 'return decoder.decode(input);', ({ MUtf8Decoder }) => ({
      decoder: new MUtf8Decoder('mutf-8', { ignoreBOM: true }),
    })),
    peer('@cto.af/wtf8', 'wtf-8', 'return decoder.decode(input);', ({ Wtf8Decoder }) => ({
      decoder: new Wtf8Decoder('wtf-8', { ignoreBOM: true }),
    })),
  ],
};

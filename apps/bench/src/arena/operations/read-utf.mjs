/** A text after its length, somewhere in a larger buffer, as in class files and NBT. */
import { peer, platform } from '../peers.mjs';
import { malformed } from './decode.mjs';

/** Formats of this kind contain names and short sentences. */
const SIZES = [8, 16, 32, 64];

/** Size of a program's buffer of a file, with frames one after the other. */
const BUFFER = 0x1_0000;

/** A `Buffer` if there is one, since some contestants read with its methods. */
const allocate = () => globalThis.Buffer?.alloc(BUFFER) ?? new Uint8Array(BUFFER);

let buffer = allocate();
let end = 0;

/** Puts a text into the buffer, after its length. @param {Uint8Array} bytes */
function frame(bytes) {
  const size = 2 + bytes.length;
  if (end + size > buffer.length) {
    buffer = allocate();
    end = 0;
  }
  const offset = end;
  buffer[offset] = bytes.length >> 8;
  buffer[offset + 1] = bytes.length;
  buffer.set(bytes, offset + 2);
  end += size;
  return { bytes: buffer, offset };
}

/** Usual code of programs without a `readUTF`. @param {string} decode */
const byHand = (decode) => `
  const { bytes, offset } = input;
  const from = offset + 2;
  const to = from + ((bytes[offset] << 8) | bytes[offset + 1]);
  return ${decode};`;

/** @param {string} name @param {import('../codecs.mjs').Variant} variant @param {string} [codec] */
const our = (name, variant, codec) => ({
  name,
  group: /** @type {const} */ ('ours'),
  variant,
  codec: codec?.replace(/.*\//, '') ?? 'mutf8',
  modules: ['@utf8/mutf8/framing', ...(codec ? [codec] : [])],
  scope: (/** @type {any[]} */ [{ readUTF }, codec]) => ({ readUTF, options: codec && { codec } }),
  body: `return readUTF(input.bytes, input.offset${codec ? ', options' : ''}).text;`,
});

/** @type {import('../contestant.mjs').Operation} */
export const readUTF = {
  name: 'readUTF',
  title: 'a text behind its length, at an offset',
  sizes: SIZES,
  input: (item, variant) => item.once(`frame of ${variant}`, () => frame(item.bytes(variant))),
  expected: (item) => item.text,
  malformed: () => malformed().map(frame),
  contestants: [
    our('readUTF', 'mutf-8'),
    our('readUTF of strict', 'utf-8', '@utf8/strict'),
    platform('TextDecoder', byHand('decoder.decode(bytes.subarray(from, to))'), () => ({
      decoder: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }),
    })),
    platform('Buffer.toString', byHand("bytes.toString('utf8', from, to)"), () => ({ Buffer })),
    peer(
      'mutf-8',
      'mutf-8',
      byHand('decoder.decode(bytes.subarray(from, to))'),
      ({ MUtf8Decoder }) => ({
        decoder: new MUtf8Decoder('mutf-8', { fatal: true, ignoreBOM: true }),
      }),
    ),
  ],
};

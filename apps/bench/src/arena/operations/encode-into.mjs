/** A string into memory that is there, with room for any spelling. */
import { ours } from '../contestant.mjs';
import { peer, platform } from '../peers.mjs';

/** Three bytes for each unit of the largest text; untouched memory costs nothing. */
const target = () => new Uint8Array(3 * 4 * 2 ** 20 + 64);

const INTO = 'return encoder.encodeInto(input, target).written;';

/** @type {import('../contestant.mjs').Contestant['output']} */
const output = (written, scope) => scope.target.slice(0, written);

/** @type {import('../contestant.mjs').Operation} */
export const encodeInto = {
  name: 'encodeInto',
  title: 'a string into memory that is there',
  input: (item) => item.text,
  expected: (item, variant) => item.bytes(variant),
  contestants: [
    ...ours('return codec.encodeInto(input, target).written;', {
      extra: { target: target() },
      output,
    }),
    platform('TextEncoder', INTO, () => ({ encoder: new TextEncoder(), target: target() }), {
      output,
    }),
    platform(
      'Buffer',
      'return target.write(input);',
      () => ({ target: Buffer.from(target().buffer) }),
      {
        output,
        remark: 'write',
      },
    ),
    peer(
      'mutf-8',
      'mutf-8',
      INTO,
      ({ MUtf8Encoder }) => ({
        encoder: new MUtf8Encoder(),
        target: target(),
      }),
      { output },
    ),
    peer(
      '@cto.af/wtf8',
      'wtf-8',
      INTO,
      ({ Wtf8Encoder }) => ({
        encoder: new Wtf8Encoder(),
        target: target(),
      }),
      { output },
    ),
    peer(
      '@protobufjs/utf8',
      'utf-8',
      'return peer.write(input, target, 0);',
      (utf8) => ({
        peer: utf8,
        target: target(),
      }),
      { output },
    ),
  ],
};

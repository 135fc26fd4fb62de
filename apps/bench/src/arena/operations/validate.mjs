/** The operation that tells whether bytes are well-formed. */
import { ours } from '../contestant.mjs';
import { peer, platform } from '../peers.mjs';
import { malformed } from './decode.mjs';

/** Browsers have none, and a bundler would follow an import. */
function findIsUtf8() {
  const { isUtf8 } = globalThis.process?.getBuiltinModule?.('node:buffer') ?? {};
  if (!isUtf8) throw new Error('there is no buffer.isUtf8');
  return { isUtf8 };
}

const BY_DECODING = 'try { decoder.decode(input); return true; } catch { return false; }';

/** @type {import('../contestant.mjs').Operation} */
export const validate = {
  name: 'validate',
  title: 'whether bytes are well-formed',
  input: (item, variant) => item.bytes(variant),
  expected: () => true,
  malformed,
  contestants: [
    ...ours('return codec.isValid(input);'),
    platform('isUtf8', 'return isUtf8(input);', findIsUtf8, { remark: 'buffer.isUtf8' }),
    platform(
      'TextDecoder fatal',
      BY_DECODING,
      () => ({
        decoder: new TextDecoder('utf-8', { fatal: true }),
      }),
      { remark: 'decodes, for want of anything else in browsers' },
    ),
    peer(
      'mutf-8',
      'mutf-8',
      BY_DECODING,
      ({ MUtf8Decoder }) => ({
        decoder: new MUtf8Decoder('mutf-8', { fatal: true }),
      }),
      { remark: 'decodes, for want of anything else' },
    ),
  ],
};

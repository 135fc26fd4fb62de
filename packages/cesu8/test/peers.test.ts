/**
 * Our codecs beside what other implementations answered, which is recorded, and beside those that run here.
 * `tooling/oracles/interop` asks again, and records.
 */
import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import { expect, it } from 'vitest';
import { formatBytes } from '../../../tooling/oracles/interop/src/answer.js';
import { art } from '../../../tooling/oracles/interop/src/art.js';
import { generateBytes, shortBytes } from '../../../tooling/oracles/interop/src/corpus.js';
import { node } from '../../../tooling/oracles/interop/src/node.js';
import {
  recordedInputs,
  recordedPeers,
  replay,
} from '../../../tooling/oracles/interop/src/recorded.js';
import { testPeers } from '../../../tooling/oracles/interop/src/suite.js';
import { choose, scale, seed } from '../../../tooling/tiers/tier.js';

testPeers([...recordedPeers.map(replay), node, art], recordedInputs);

it('decode(b, replace) is lenient.decode(b, replace).toWellFormed() in CESU-8', () => {
  const short = choose([...shortBytes()], scale(40_000));
  for (const bytes of [...short, ...generateBytes(seed, scale(40_000))]) {
    const text = cesu8.decode(bytes, { errors: 'replace' });
    if (text !== lenient.decode(bytes, { errors: 'replace' }).toWellFormed()) {
      expect.fail(formatBytes(bytes));
    }
  }
});

/** Checks that other implementations still give the recorded answers for the vectors. */
import { afterAll, expect, it } from 'vitest';
import { isNight } from '../../../tiers/tier.js';
import type { Peer } from '../../interop/src/peer.js';
import { cases } from '../src/cases/index.js';
import { committed, recorded } from '../src/committed.js';
import { type Confirmation, confirm } from '../src/confirmation.js';
import {
  findVersion,
  type Implementation,
  implementations,
  startPeers,
} from '../src/implementation.js';

// Compiling the library of Go takes longer than all the others.
const wanted = implementations.filter(({ peer }) => isNight || peer !== 'go');
const peers = await startPeers(wanted.map(({ peer }) => peer));
afterAll(() => {
  for (const peer of peers.values()) peer.stop();
});

/** The name under which any version of an implementation is recorded. */
function findName({ name }: Implementation): string | undefined {
  const [before = '', after = ''] = name('@').split('@');
  return Object.keys(committed.implementations).find(
    (each) =>
      each.startsWith(before) &&
      each.endsWith(after) &&
      /^[\d.]+$/.test(each.slice(before.length, each.length - after.length)),
  );
}

/** Without the version. */
const sortConfirms = ({ confirms, differs, variant, id }: Confirmation) => ({
  variant,
  id,
  confirms: [...confirms].sort(),
  differs: differs.map(({ on, does }) => ({ on, does })),
});

it.each(
  wanted.map((implementation) => {
    const peer = peers.get(implementation.peer) as Peer;
    const name = implementation.name(findVersion(peer.about));
    return { implementation, peer, name, variant: implementation.variant };
  }),
)('$name says of $variant what is recorded', async ({ implementation, peer, name, variant }) => {
  const known = findName(implementation);
  const said = await confirm(implementation, peer, cases);
  const spoke = said.filter(({ confirms, differs }) => confirms.length + differs.length > 0);
  const before = recorded.filter((each) => each.by === known && each.variant === variant);
  expect(before.length, `${known} for ${name}`).toBeGreaterThan(0);
  expect(spoke.map(sortConfirms)).toEqual(before.map(sortConfirms));
});

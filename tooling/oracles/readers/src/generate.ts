/** Writes the fingerprints of all readers, and the table of attacks. It needs every reader. */
import { writeFileSync } from 'node:fs';
import { printAttacks, printFingerprints, probeAll } from './collect.js';

const root = new URL('../../../../', import.meta.url);
const probed = await probeAll();
writeFileSync(
  new URL('packages/vectors/src/generated/fingerprints.ts', root),
  printFingerprints(probed),
);
writeFileSync(new URL('apps/site/pages/attacks.md', root), printAttacks(probed));
console.log(`${probed.length} readers`);

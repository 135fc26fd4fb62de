/**
 * Writes `packages/vectors/generated`, the schema and the modules that depend on the list of variants. It
 * needs every peer, since the confirmations of a missing one would be lost.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Peer } from '../../interop/src/peer.js';
import { cases } from './cases/index.js';
import { type Confirmation, confirm } from './confirmation.js';
import { documented, documentedConfirmations } from './documented.js';
import { createFile, printIndex, printJson } from './file.js';
import { findVersion, implementations, startPeers } from './implementation.js';
import { printCases, printRows } from './probe-data.js';
import { completeSchema, printVariantType } from './schema.js';

const home = fileURLToPath(new URL('../../../../packages/vectors', import.meta.url));
const folder = path.join(home, 'generated');
const schema = path.join(home, 'schema.json');

const peers = await startPeers(implementations.map(({ peer }) => peer));
try {
  const versions: Record<string, string> = {};
  const confirmations: Confirmation[] = [];
  for (const implementation of implementations) {
    const peer = peers.get(implementation.peer) as Peer;
    versions[implementation.name(findVersion(peer.about))] =
      `${peer.about}: ${implementation.asked}`;
    confirmations.push(...(await confirm(implementation, peer, cases)));
  }
  const file = createFile(cases, { ...versions, ...documented }, [
    ...confirmations,
    ...documentedConfirmations,
  ]);
  rmSync(folder, { recursive: true, force: true });
  write('vectors.json', printJson(file));
  write('bin/index.tsv', printIndex(file));
  for (const { id, bytes } of cases) write(`bin/${id}.bin`, bytes);
  writeFileSync(schema, completeSchema(readFileSync(schema, 'utf8')));
  write('../src/generated/variant.ts', printVariantType());
  write('../src/generated/rows.ts', printRows());
  write('../src/generated/cases.ts', printCases(cases));
  console.log(`${cases.length} vectors`);
} finally {
  for (const peer of peers.values()) peer.stop();
}

function write(name: string, content: string | Uint8Array): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

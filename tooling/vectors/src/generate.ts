/**
 * Writes `packages/vectors/generated`. It needs every peer: what a peer confirms must not go because
 * somebody does not have it.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cases } from './cases/index.js';
import { type Confirmation, confirm } from './confirmation.js';
import { documented, documentedConfirmations } from './documented.js';
import { makeFile, printIndex, printJson } from './file.js';
import { findVersion, implementations, startPeers } from './implementation.js';

const folder = fileURLToPath(new URL('../../../packages/vectors/generated', import.meta.url));

const peers = await startPeers();
try {
  const missing = [...peers].filter(([, peer]) => typeof peer === 'string');
  if (missing.length > 0) {
    throw new Error(missing.map(([name, reason]) => `${name} is missing: ${reason}`).join('\n'));
  }
  const versions: Record<string, string> = {};
  const confirmations: Confirmation[] = [];
  for (const implementation of implementations) {
    const peer = peers.get(implementation.peer);
    if (!peer || typeof peer === 'string') continue;
    versions[implementation.name(findVersion(peer.about))] =
      `${peer.about}: ${implementation.asked}`;
    confirmations.push(...(await confirm(implementation, peer, cases)));
  }
  const file = makeFile(cases, { ...versions, ...documented }, [
    ...confirmations,
    ...documentedConfirmations,
  ]);
  rmSync(folder, { recursive: true, force: true });
  write('vectors.json', printJson(file));
  write('bin/index.tsv', printIndex(file));
  for (const { id, bytes } of cases) write(`bin/${id}.bin`, bytes);
  console.log(`${cases.length} vectors`);
} finally {
  for (const peer of peers.values()) if (typeof peer !== 'string') peer.stop();
}

function write(name: string, content: string | Uint8Array): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

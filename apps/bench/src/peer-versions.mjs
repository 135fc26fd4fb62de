/** Installed versions of the peers. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PEERS } from './arena/peers.mjs';

const require = createRequire(import.meta.url);

/** @returns {Record<string, string>} */
export function peerVersions() {
  return Object.fromEntries(PEERS.flatMap((name) => versionOf(name)));
}

/** @param {string} name @returns {[string, string][]} */
function versionOf(name) {
  const manifest = (require.resolve.paths(name) ?? [])
    .map((folder) => join(folder, name, 'package.json'))
    .find((file) => existsSync(dirname(file)));
  return manifest ? [[name, JSON.parse(readFileSync(manifest, 'utf8')).version]] : [];
}

/** The packages that others publish for the same work. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** @type {Record<string, () => Promise<any>>} */
const imports = {
  '@exodus/bytes': () => import('@exodus/bytes/utf8.js'),
  'iconv-lite': async () => (await import('iconv-lite')).default,
  'mutf-8': () => import('mutf-8'),
  '@cto.af/wtf8': () => import('@cto.af/wtf8'),
  utf8: async () => (await import('utf8')).default,
  '@protobufjs/utf8': async () => (await import('@protobufjs/utf8')).default,
};

export const PEERS = Object.keys(imports);

/** @param {string} name */
export function importPeer(name) {
  const load = imports[name];
  if (!load) throw new Error(`there is no peer ${name}`);
  return load();
}

/** The version of each that is installed. @returns {Record<string, string>} */
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

/**
 * A peer as a contestant.
 *
 * @param {string} name
 * @param {import('./codecs.mjs').Variant} variant
 * @param {string} body
 * @param {(peer: any) => Record<string, any>} scope
 * @param {Partial<import('./contestant.mjs').Contestant>} [more]
 * @returns {import('./contestant.mjs').Contestant}
 */
export const peer = (name, variant, body, scope, more = {}) => ({
  name,
  group: 'peer',
  variant,
  largest: 64 * 1024,
  scope: async () => scope(await importPeer(name)),
  body,
  ...more,
});

/**
 * The platform as a contestant.
 *
 * @param {string} name
 * @param {string} body
 * @param {() => Record<string, any>} scope
 * @param {Partial<import('./contestant.mjs').Contestant>} [more]
 * @returns {import('./contestant.mjs').Contestant}
 */
export const platform = (name, body, scope, more = {}) => ({
  name,
  group: 'platform',
  variant: 'utf-8',
  scope: async () => scope(),
  body,
  ...more,
});

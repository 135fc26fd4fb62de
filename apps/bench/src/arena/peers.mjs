/** The packages that others publish for the same work. */
/** @type {Record<string, () => Promise<any>>} */
const imports = {
  '@exodus/bytes': () => import('@exodus/bytes/utf8.js'),
  'iconv-lite': async () => Buffer && (await import('iconv-lite')).default,
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

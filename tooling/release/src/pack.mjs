/** The tarballs of all packages, as npm would get them. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { pnpm } from './run.mjs';

/**
 * @typedef {object} Packed
 * @property {string} name
 * @property {string} version
 * @property {string} file - The tarball.
 * @property {string} folder - Of the package in the repository.
 * @property {readonly string[]} dependencies - All, by their names.
 * @property {readonly string[]} modules - What programs import, such as `@utf8/cesu8/lite`.
 * @property {boolean} isModuleOnly - Whether it has no CommonJS modules.
 * @property {number} packed - Bytes of the tarball.
 * @property {number} unpacked - Size of its content in bytes.
 */

/**
 * Packs all packages: each after those it depends on.
 *
 * @param {string} repository - With packages that are built.
 * @param {string} folder - An empty one, for the tarballs.
 * @returns {Packed[]}
 */
export function packAll(repository, folder) {
  const words = ['--recursive', '--filter', './packages/*', 'pack', '--pack-destination', folder];
  pnpm(repository, words);
  const all = readdirSync(path.join(repository, 'packages'))
    .map((name) => path.join(repository, 'packages', name))
    .filter((each) => existsSync(path.join(each, 'package.json')))
    .filter((each) => !isPrivate(each))
    .map((each) => describe(each, folder));
  return sort(all);
}

/** @param {string} folder */
const isPrivate = (folder) =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).private === true;

/**
 * @param {string} folder
 * @param {string} tarballs
 * @returns {Packed}
 */
function describe(folder, tarballs) {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const { name, version, exports = {}, dependencies = {} } = manifest;
  const file = path.join(tarballs, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  const targets = Object.entries(exports).filter(([, target]) => typeof target === 'object');
  return {
    name,
    version,
    file,
    folder,
    dependencies: Object.keys(dependencies),
    modules: targets.map(([subpath]) => path.posix.join(name, subpath)),
    isModuleOnly: targets.every(([, target]) => !Object.hasOwn(target, 'require')),
    packed: statSync(file).size,
    unpacked: gunzipSync(readFileSync(file)).length,
  };
}

/**
 * @param {readonly Packed[]} packages
 * @returns {Packed[]}
 */
function sort(packages) {
  /** @type {Set<Packed>} */
  const sorted = new Set();
  const add = (/** @type {Packed} */ each) => {
    for (const other of packages) if (each.dependencies.includes(other.name)) add(other);
    sorted.add(each);
  };
  for (const each of packages) add(each);
  return [...sorted];
}

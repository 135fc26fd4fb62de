/** Parts of a bundle and its tests: Node from npm, libraries from Debian. All are pinned in parts.json. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { fetchRuntime, findRuntime } from '../../conformance/runtimes/fetch.mjs';
import { cache } from '../../conformance/runtimes/programs.mjs';

/**
 * @typedef {{ readonly version: string, readonly sha256: string }} DebianPackage
 * @type {{
 *   readonly node: { readonly runtime: string, readonly sha256: string },
 *   readonly debian: Readonly<Record<string, DebianPackage>>,
 * }}
 */
const parts = JSON.parse(readFileSync(new URL('../parts.json', import.meta.url), 'utf8'));

/** The names of Debian's packages. */
export const debianPackages = Object.keys(parts.debian);

/** @param {string} name */
const pinOf = (name) => {
  const pin = parts.debian[name];
  if (!pin) throw new Error(`parts.json has no Debian package ${name}`);
  return pin;
};

/** @param {string} name */
export const versionOf = (name) => pinOf(name).version;

/** The content of one of Debian's packages: a folder with `usr` and the like. */
export class DebianFiles {
  /** @param {string} name */
  constructor(name) {
    const { version } = pinOf(name);
    this.name = name;
    this.folder = path.join(cache, 'release', `${name}_${version.replace(':', '.')}`);
  }

  get isFetched() {
    return existsSync(this.folder);
  }

  /** @param {string} file */
  read(file) {
    return readFileSync(path.join(this.folder, file));
  }

  /** Downloads and unpacks the package, with apt's own configuration. */
  fetch() {
    if (this.isFetched) return;
    const { version, sha256 } = pinOf(this.name);
    mkdirSync(path.dirname(this.folder), { recursive: true });
    const work = mkdtempSync(`${this.folder}.`);
    try {
      demand('apt-get', ['download', '--quiet', `${this.name}=${version}`], work);
      const file = path.join(work, /** @type {string} */ (readdirSync(work)[0]));
      demandHash(file, readFileSync(file), sha256);
      const files = path.join(work, 'files');
      demand('dpkg-deb', ['--extract', file, files], work);
      // Under its name it is complete.
      renameSync(files, this.folder);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
}

/** The folder of Node's package; undefined if it has not been fetched. */
export const findNode = () => {
  const folder = findRuntime(parts.node.runtime);
  return folder && path.join(folder, parts.node.runtime);
};

/** Fetches Node's package, and returns its folder. */
export function fetchNode() {
  fetchRuntime(parts.node.runtime);
  const folder = findNode();
  if (!folder) throw new Error(`could not fetch ${parts.node.runtime}`);
  return folder;
}

/** @param {string} folder - Of Node's package. */
export function readNode(folder) {
  const file = path.join(folder, 'bin/node');
  const bytes = readFileSync(file);
  demandHash(file, bytes, parts.node.sha256);
  return bytes;
}

/**
 * @param {string} file
 * @param {Uint8Array} bytes
 * @param {string} expected
 */
function demandHash(file, bytes, expected) {
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual === expected) return;
  throw new Error(`${file}: the SHA-256 is ${actual}, but parts.json has ${expected}`);
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} cwd
 */
function demand(program, args, cwd) {
  const { status, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status === 0) return;
  const why = error?.message ?? stderr.trim();
  throw new Error(`${program} ${args.join(' ')}: ${why}; run apt-get update, or use Debian 12`);
}

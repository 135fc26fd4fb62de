/** Where the programs and libraries of other runtimes are. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './modules.js';

interface Version {
  /** The npm packages, as `dependencies` of a manifest list them. */
  readonly packages: Readonly<Record<string, string>>;
  /** What is run or loaded, below `node_modules`. */
  readonly file: string;
}

const versions: Readonly<Record<string, Version>> = JSON.parse(
  readFileSync(new URL('../versions.json', import.meta.url), 'utf8'),
);

export const cache: string = path.join(root, 'node_modules/.cache');

/** The Node that runs this. */
export const thisNode: string = `node-${process.versions.node.split('.')[0]}`;

/** Finds the file of a runtime that `install.mjs` fetched. */
export function findFetched(name: string): string | undefined {
  const version = versions[name];
  const file = path.join(cache, 'runtimes', name, 'node_modules', version?.file ?? '');
  return version && existsSync(file) ? file : undefined;
}

/** Finds a program: the one that runs this, one that `install.mjs` fetched, or one on the PATH. */
export function findProgram(...names: readonly string[]): string | undefined {
  for (const name of names) {
    if (name === thisNode) return process.execPath;
    const fetched = findFetched(name);
    if (fetched) return fetched;
    for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
      const file = path.join(folder, name);
      if (folder && existsSync(file)) return file;
    }
  }
  return undefined;
}

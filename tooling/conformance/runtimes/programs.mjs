/** Paths of the programs and libraries of other runtimes. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const versions = JSON.parse(readFileSync(new URL('versions.json', import.meta.url), 'utf8'));

export const cache = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));

/** The environment of every program: nothing is written outside the clone, or asked of others. */
export const environment = {
  ...process.env,
  DENO_DIR: path.join(cache, 'deno'),
  DENO_NO_UPDATE_CHECK: '1',
  BUN_RUNTIME_TRANSPILER_CACHE_PATH: '0',
  DO_NOT_TRACK: '1',
  NODE_OPTIONS: '',
};

export const thisNode = `node-${process.versions.node.split('.')[0]}`;

export function findFetched(name) {
  const version = versions[name];
  const file = path.join(cache, 'runtimes', name, 'node_modules', version?.file ?? '');
  return version && existsSync(file) ? file : undefined;
}

export function findProgram(...names) {
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

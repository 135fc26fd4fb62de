import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder of the repository. Configurations of Vite are bundled, so that their own place says nothing. */
export const root: URL = findRoot(process.cwd());

function findRoot(folder: string): URL {
  if (existsSync(path.join(folder, 'packages/variants.json'))) return pathToFileURL(`${folder}/`);
  const parent = path.dirname(folder);
  if (parent === folder) throw new Error('run in a folder of the repository');
  return findRoot(parent);
}

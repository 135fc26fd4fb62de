import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { fromPath, toPath } from './file-name.js';

/** How many symbolic links Linux follows. */
const MOST_LINKS = 40;

/** The path without symbolic links. Unlike `realpathSync` itself, its native form keeps every byte. */
const realPath = (path: string): string =>
  fromPath(realpathSync.native(toPath(path), { encoding: 'buffer' }));

/**
 * Finds the path of the file that a path denotes, through any chain of symbolic links. The file itself
 * need not exist; its folder must.
 *
 * @throws An error of the file system.
 */
export function findTarget(path: string): string {
  if (statSync(toPath(path), { throwIfNoEntry: false })) return realPath(path);
  let name = path;
  for (let links = 0; links <= MOST_LINKS; links++) {
    const file = join(realPath(dirname(name)), basename(name));
    if (!lstatSync(toPath(file), { throwIfNoEntry: false })?.isSymbolicLink()) return file;
    const link = fromPath(readlinkSync(toPath(file), { encoding: 'buffer' }));
    // Not `join`, since the system resolves `..` only after it has followed links.
    name = isAbsolute(link) ? link : `${dirname(file)}/${link}`;
  }
  throw Object.assign(new Error('too many symbolic links'), { code: 'ELOOP' });
}

/** Paths relative to this folder and to `dist`, which is at the same depth. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root: string = fileURLToPath(new URL('../../../..', import.meta.url));

const folder = path.join(root, 'tooling/nightly/fuzz');

/** Programs that are bundled for a run. */
export const bundles: string = path.join(folder, 'dist');

/** Targets, by name, before they are bundled. */
export const targetFolder: string = path.join(folder, 'src/targets');

/** Returns the path of a corpus in the repository: one line of base64 per input. */
export const corpusOf = (name: string): string => path.join(folder, 'corpus', `${name}.txt`);

/** The inputs that made a target fail, each a file of bytes. */
export const findingsOf = (name: string): string => path.join(folder, 'findings', name);

/** The corpus that grows with each run, and is not committed. */
export const cacheOf = (name: string): string => path.join(root, 'node_modules/.cache/fuzz', name);

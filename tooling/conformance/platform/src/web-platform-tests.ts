/**
 * The Web Platform Tests of the Encoding standard, from Debian's source package of Node, which `.ci/install` unpacks.
 *
 * @see https://github.com/web-platform-tests/wpt/tree/master/encoding
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Result, runWorker } from './worker.js';

const root = fileURLToPath(new URL('../../../../node_modules/.cache/wpt', import.meta.url));

/** Lists the files that need no document. */
export function listFiles(): readonly string[] {
  return ['encoding', 'encoding/streams'].flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith('.any.js'))
      .map((name) => `${folder}/${name}`),
  );
}

/** Makes the platform's decoders refuse the labels of other encodings than UTF-8. */
export const refuseOthers = `
  for (const name of ['TextDecoder', 'TextDecoderStream']) {
    const value = new Proxy(globalThis[name], {
      construct(...values) {
        const made = Reflect.construct(...values);
        if (made.encoding !== 'utf-8') throw new RangeError('not UTF-8');
        return made;
      },
    });
    value.prototype.constructor = value;
    Object.defineProperty(globalThis, name, { value, writable: true });
  }`;

/** Runs a file after a script. */
export async function runFile(file: string, script: string): Promise<readonly Result[]> {
  const { error, results } = await runWorker<{ error?: string; results: Result[] }>(
    './run-file.mjs',
    { root, file, script },
  );
  if (error !== undefined) throw new Error(`${file}: ${error}`);
  return results;
}

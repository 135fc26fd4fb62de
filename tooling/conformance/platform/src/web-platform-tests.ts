/**
 * The Web Platform Tests of the Encoding standard, from Debian's source package of Node, which `.ci/install` unpacks.
 *
 * @see https://github.com/web-platform-tests/wpt/tree/master/encoding
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { bundleSources } from '../../../build/sources.mjs';

const root = fileURLToPath(new URL('../../../../node_modules/.cache/wpt', import.meta.url));
const program = new URL('run-file.mjs', import.meta.url);

/** The classes that are tested. */
const classes = ['TextDecoder', 'TextEncoder', 'TextDecoderStream', 'TextEncoderStream'];

export interface Result {
  readonly name: string;
  /** The first assertion that failed; null if none did. */
  readonly message: string | null;
  readonly hasPassed: boolean;
}

/** Lists the files that need no document. */
export function listFiles(): readonly string[] {
  return ['encoding', 'encoding/streams'].flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith('.any.js'))
      .map((name) => `${folder}/${name}`),
  );
}

/** Replaces the platform's classes by those of a codec. */
export async function replaceClasses(specifier: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { ${classes} } from ${JSON.stringify(specifier)};
        for (const [name, value] of Object.entries({ ${classes} })) {
          Object.defineProperty(globalThis, name, { value, writable: true });
        }`,
      resolveDir: path.dirname(fileURLToPath(program)),
    },
    bundle: true,
    format: 'iife',
    target: 'es2022',
    plugins: [bundleSources()],
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0]?.text as string;
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
export async function run(file: string, script: string): Promise<readonly Result[]> {
  const worker = new Worker(program, { workerData: { root, file, script } });
  try {
    const { error, results } = await new Promise<{ error?: string; results: Result[] }>(
      (resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
        worker.once('exit', () => reject(new Error(`${file} ended without results`)));
      },
    );
    if (error !== undefined) throw new Error(`${file}: ${error}`);
    return results;
  } finally {
    await worker.terminate();
  }
}

/** Runs tests in workers, each with globals of its own. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { bundleSources } from '../../../build/sources.mjs';

/** The classes that are tested. */
const classes = ['TextDecoder', 'TextEncoder', 'TextDecoderStream', 'TextEncoderStream'];

export interface Result {
  readonly name: string;
  /** The first assertion that failed; null if none did. */
  readonly message: string | null;
  readonly hasPassed: boolean;
}

/** Returns a script that replaces the platform's classes by those of a codec. */
export async function replaceClasses(specifier: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { ${classes} } from ${JSON.stringify(specifier)};
        for (const [name, value] of Object.entries({ ${classes} })) {
          Object.defineProperty(globalThis, name, { value, writable: true });
        }`,
      resolveDir: path.dirname(fileURLToPath(import.meta.url)),
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

/** Runs a program in a worker, and returns its only message. */
export async function runWorker<Message>(program: string, data: object): Promise<Message> {
  const worker = new Worker(new URL(program, import.meta.url), { workerData: data, stdout: true });
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error(`${program} ended without results`)));
    });
  } finally {
    await worker.terminate();
  }
}

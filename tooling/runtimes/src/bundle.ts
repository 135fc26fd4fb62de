/** The suite as one module. The packages under test stay outside: each runtime resolves them itself. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { folders, readVectors } from '@utf8/conformance/folder';
import { build, type Plugin } from 'esbuild';

export const root: string = fileURLToPath(new URL('../../..', import.meta.url));
const conformance = path.join(root, 'tooling/conformance');

/** What a bundle is made for. */
export type Host = 'esm' | 'commonjs' | 'browser';

/** The files of the suite by their path in this repository. A browser lacks what `node:` has. */
function listTests(host: Host): string[] {
  const tests = readdirSync(path.join(conformance, 'test'))
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `tooling/conformance/test/${file}`);
  return [...tests, 'packages/vectors/test/codecs.test.ts'].filter(
    (file) =>
      host !== 'browser' || !/from 'node:/.test(readFileSync(path.join(root, file), 'utf8')),
  );
}

/** Puts the vectors into the bundle, instead of the module that reads them from files. */
const vectors: Plugin = {
  name: 'vectors',
  setup({ onLoad }) {
    onLoad({ filter: /conformance[\\/]src[\\/]folder\.ts$/ }, () => {
      const places = Object.entries(folders).filter(([, folder]) => folder);
      const files = places.map(([place, folder]) => [place, [...readVectors(folder as string)]]);
      return {
        contents: `const files = ${JSON.stringify(Object.fromEntries(files))};
          export const folders = Object.fromEntries(Object.keys(files).map((place) => [place, place]));
          export const readVectors = (folder) => new Map(files[folder]);`,
      };
    });
  },
};

/**
 * Bundles the quick tier: a module that runs it, exports a promise of its report, and prints that as
 * a line of JSON where there are lines.
 *
 * @returns The file. It lies where imports find what the suite depends on.
 */
export async function bundleSuite(host: Host): Promise<string> {
  // Not in node_modules: Deno takes what lies there for somebody's package.
  const outfile = path.join(conformance, `dist/${host}.${host === 'commonjs' ? 'cjs' : 'mjs'}`);
  const files = listTests(host).map(
    (file) => `${JSON.stringify(file)}: () => import(${JSON.stringify(`./${file}`)}),`,
  );
  const print = 'report.then((value) => console.log(JSON.stringify(value)));';
  await build({
    stdin: {
      contents: `import { run } from './tooling/runtimes/src/run.ts';
        export const report = run({ ${files.join('\n')} });
        ${host === 'browser' ? '' : print}`,
      resolveDir: root,
    },
    outfile,
    bundle: true,
    format: host === 'commonjs' ? 'cjs' : 'esm',
    platform: host === 'browser' ? 'browser' : 'node',
    target: 'es2022',
    external: ['@utf8/*'],
    // The suite compares with Node's Buffer. The packages do not see this one.
    inject: [fileURLToPath(new URL('buffer.ts', import.meta.url))],
    alias: {
      vitest: fileURLToPath(new URL('vitest.ts', import.meta.url)),
      ...(host === 'browser' ? {} : { buffer: 'node:buffer' }),
    },
    plugins: [vectors],
    logLevel: 'warning',
  });
  return outfile;
}

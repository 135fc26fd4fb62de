/** The suite as one module. The packages under test stay outside: each runtime resolves them itself. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { folders, readVectors } from '@utf8/conformance/folder';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { isNight } from '../../../tiers/tier.js';
import { listEntries, root } from './modules.js';

const conformance = path.join(root, 'tooling/conformance');
// Imports find the packages from here. Not in node_modules: Deno takes what lies there for a package.
const dist = path.join(conformance, 'dist');
const inside = (name: string): string => fileURLToPath(new URL(`inside/${name}`, import.meta.url));

/** Target of a bundle: a module system, in a program with or without `node:`. */
export type Form = 'esm' | 'commonjs' | 'web' | 'web-commonjs';

const isCommonJs = (form: Form): boolean => form === 'commonjs' || form === 'web-commonjs';
const hasNode = (form: Form): boolean => form === 'esm' || form === 'commonjs';

const settings = (form: Form): BuildOptions => ({
  bundle: true,
  format: isCommonJs(form) ? 'cjs' : 'esm',
  platform: hasNode(form) ? 'node' : 'browser',
  target: 'es2022',
  // The runner would use the replacement of Node's, which may be a stub.
  ...(hasNode(form) ? {} : { define: { process: 'undefined' } }),
  logLevel: 'warning',
});

const outfile = (name: string, form: Form): string =>
  path.join(dist, `${name}.${isCommonJs(form) ? 'cjs' : 'mjs'}`);

/**
 * Part of the suite that a runtime runs: all of it, or only the tests of features that differ between
 * platforms with one engine.
 */
export type Extent = 'all' | 'platform';

/** Their specifiers. */
const variants: readonly string[] = JSON.parse(
  readFileSync(path.join(root, 'packages/variants.json'), 'utf8'),
);

/**
 * The files of the suite by their path in this repository. All short inputs are left to the Node that runs the tests.
 */
function listTests(form: Form, extent: Extent): string[] {
  const tests = readdirSync(path.join(conformance, 'test'))
    // That one reads this repository.
    .filter((file) => file.endsWith('.test.ts') && file !== 'variants.test.ts')
    .map((file) => `tooling/conformance/test/${file}`);
  const framing = ['framing', 'framing-arrays', 'framing-lengths', 'framing-memory'];
  const suites = variants.flatMap((specifier) => {
    const folder = specifier.split('/')[1];
    return [path.posix.basename(specifier), 'kernels'].map(
      (name) => `packages/${folder}/test/${name}.test.ts`,
    );
  });
  return [
    ...tests,
    ...framing.map((name) => `packages/mutf8/test/${name}.test.ts`),
    ...new Set(variants.map((each) => `packages/${each.split('/')[1]}/test/faults.test.ts`)),
    'packages/core/test/errors.test.ts',
    'packages/core/test/own-grammar.test.ts',
    'packages/vectors/test/codecs.test.ts',
    ...(extent === 'all' ? new Set(suites) : []),
  ].filter((file) => hasNode(form) || !needsNode(file));
}

/** Tells whether a file, or one of this repository that it imports, imports what only Node has. */
function needsNode(start: string): boolean {
  const files = new Set([start]);
  for (const file of files) {
    const source = readFileSync(path.join(root, file), 'utf8');
    if (/from '(?:node:|@utf8\/core\/node')/.test(source)) return true;
    for (const [, name] of source.matchAll(/from '(\.[^']*)\.js'/g)) {
      const imported = path.join(path.dirname(file), `${name}.ts`);
      if (!replaced.test(imported)) files.add(imported);
    }
  }
  return false;
}

/** The module that reads vectors from files. */
const replaced = /conformance[\\/]src[\\/]folder\.ts$/;

/** Puts the vectors into the bundle. */
const vectors: Plugin = {
  name: 'vectors',
  setup({ onLoad }) {
    onLoad({ filter: replaced }, () => {
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

/** Gives all runtimes the same cases: by day those of `npm test`, and at night all, with fewer random ones. */
const counts: Plugin = {
  name: 'counts',
  setup({ onLoad }) {
    onLoad({ filter: /tiers[\\/]tier\.ts$/ }, ({ path }) => {
      const env = {
        UTF8_TIER: isNight ? 'night' : 'test',
        UTF8_SCALE: isNight ? '1' : '0.1',
        UTF8_SEED: process.env.UTF8_SEED,
      };
      const source = readFileSync(path, 'utf8');
      return {
        contents: source.replace(/typeof process[^;]*/, JSON.stringify(env)),
        loader: 'ts',
      };
    });
  },
};

/** Keeps vitest's expectations separate from jest's, which are stored under the same symbol. */
const matchers: Plugin = {
  name: 'matchers',
  setup({ onLoad }) {
    onLoad({ filter: /@vitest[\\/]expect[\\/]dist[\\/]index\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('$$jest-matchers-object', '$$$$matchers'),
    }));
  },
};

/** Stops vitest's runner from changing objects that are frozen together with the language. */
const stacks: Plugin = {
  name: 'stacks',
  setup({ onLoad }) {
    onLoad({ filter: /@vitest[\\/](?:runner|utils)[\\/]dist[\\/].*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/Error\.stackTraceLimit = [^;]+;/g, ';'),
    }));
  },
};

/** Gives `#entries`, which exports every module under test by its specifier. */
const entries: Plugin = {
  name: 'entries',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^#entries$/ }, () => ({ path: 'entries', namespace: 'entries' }));
    onLoad({ filter: /./, namespace: 'entries' }, () => {
      const specifiers = listEntries().map((specifier) => JSON.stringify(specifier));
      const imports = specifiers.map((specifier, i) => `import * as m${i} from ${specifier};`);
      const names = specifiers.map((specifier, i) => `${specifier}: m${i}`);
      return {
        contents: `${imports.join('\n')}\nexport const entries = { ${names.join(', ')} };`,
        resolveDir: dist,
      };
    });
  },
};

const built = new Map<string, Promise<string>>();

/** Builds a file once: a runtime may read it while another one asks for it. */
function buildOnce(file: string, options: () => BuildOptions): Promise<string> {
  let promise = built.get(file);
  if (!promise) {
    promise = build({ ...options(), outfile: file }).then(() => file);
    built.set(file, promise);
  }
  return promise;
}

/**
 * Bundles the suite: a module that exports `start`, which runs it and returns a promise of its
 * report. In a program that has `node:` it also starts, and prints the report as JSON.
 *
 * @returns The file.
 */
export function bundleSuite(form: Form, extent: Extent): Promise<string> {
  return buildOnce(outfile(`${form}-${extent}`, form), () => ({
    ...settings(form),
    stdin: { contents: writeMain(form, extent), resolveDir: root },
    external: ['@utf8/*'],
    // Dependencies of the suite itself on Node, which the packages do not see.
    inject: [inside(hasNode(form) ? 'node.ts' : 'web.ts')],
    alias: { vitest: inside('vitest.ts') },
    plugins: [vectors, counts, matchers, stacks, entries],
  }));
}

function writeMain(form: Form, extent: Extent): string {
  const tests = listTests(form, extent).map(
    (test) => `${JSON.stringify(test)}: () => import(${JSON.stringify(`./${test}`)}),`,
  );
  return `import { run } from './tooling/conformance/runtimes/src/inside/run.ts';
    import { entries } from '#entries';
    import { testEntries } from './tooling/conformance/runtimes/src/checks/entries.ts';
    import { testForeign } from './tooling/conformance/runtimes/src/checks/foreign.ts';
    export const start = () => run({
      ${tests.join('\n')}
      'every entry': () => testEntries(entries),
      'memory of another realm': () => testForeign(entries),
    });
    ${hasNode(form) ? 'start().then((report) => console.log(JSON.stringify(report)));' : ''}`;
}

/** Bundles a program that loads the suite somewhere, with no module under test in it. */
export function bundleProgram(name: string, form: Form): Promise<string> {
  return buildOnce(outfile(name, form), () => ({
    ...settings(form),
    entryPoints: [inside(`${name}.ts`)],
    external: ['@utf8/*'],
    plugins: [entries],
  }));
}

/** Bundles the suite and the packages into one file, as for a deployment. */
export function bundleWhole(suite: string): Promise<string> {
  return buildOnce(outfile('whole', 'web'), () => ({
    ...settings('web'),
    entryPoints: [suite],
    logLevel: 'error',
  }));
}

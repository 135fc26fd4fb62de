/** Every example in a docstring or a README runs, and gives what it says. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { findProgram } from '../../conformance/runtimes/programs.mjs';
import { compileExample, findExamples } from '../src/example.mjs';
import { readPackages, root } from '../src/packages.js';
import { specifiers } from '../src/variants.js';

// Below this package, so that the examples import what it depends on.
const folder = fileURLToPath(new URL('../node_modules/.cache/examples', import.meta.url));
mkdirSync(folder, { recursive: true });
const before = process.cwd();
// Examples write files by their names alone.
process.chdir(folder);
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const packages = readPackages('packages');
const texts = packages.flatMap((pkg) =>
  [...pkg.sources].map(([file, text]) => [path.join(pkg.folder, file), text] as const),
);
const readmes = [
  'README.md',
  ...packages.map((pkg) => path.join(path.relative(root, pkg.folder), 'README.md')),
  ...listPages('apps/site/pages'),
]
  .map((file) => path.join(root, file))
  .filter((file) => existsSync(file))
  .map((file) => [file, readFileSync(file, 'utf8')] as const);

/** The pages of the site that are written by hand; `tooling/oracles/jni` runs those of its own page. */
function listPages(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })

    .filter((name) => name.endsWith('.md') && name !== 'jni.md')
    .map((name) => path.join(folder, name));
}

const examples = [...texts, ...readmes].flatMap(([file, text]) =>
  findExamples(path.relative(root, file), text),
);

/** The checks of the example that have run: one after a statement that throws would otherwise be missed. */
const done = new Set<number>();

(globalThis as Record<string, unknown>).__check = (
  actual: unknown,
  expected: unknown,
  what: string,
  index: number,
) => {
  done.add(index);
  expect(actual, what).toEqual(expected);
};

/** The same for examples that this version of Node cannot run. */
const compileAlone = (script: string, checks: number): string =>
  `import { deepStrictEqual } from 'node:assert';
const done = new Set();
globalThis.__check = (actual, expected, what, index) => {
  done.add(index);
  deepStrictEqual(actual, expected, what);
};
${script}
deepStrictEqual(done.size, ${checks}, 'checks that ran');
`;

const node = findProgram('node-24', 'node-26', 'node-22');
if (!node)
  console.log(
    'skipped: examples of node:sqlite: run node tooling/conformance/runtimes/install.mjs',
  );

describe('examples', () => {
  it('are found', () => expect(examples.length).toBeGreaterThan(20));

  it.for(examples.map((example, i) => [example.place, i, example] as const))(
    '%s',
    async ([, i, example]) => {
      const { script, checks } = compileExample(example);
      const file = path.join(folder, `${i}.mjs`);
      if (/'node:sqlite'/.test(script) && !process.getBuiltinModule('node:sqlite')) {
        writeFileSync(file, compileAlone(script, checks));
        if (node) execFileSync(node, ['--disable-warning=ExperimentalWarning', file]);
        return;
      }
      writeFileSync(file, script);
      done.clear();
      await import(/* @vite-ignore */ pathToFileURL(file).href);
      expect(done.size, 'checks that ran').toBe(checks);
    },
  );

  it.each(specifiers)('every function and class of %s has one', async (specifier) => {
    const codec: object = await import(/* @vite-ignore */ specifier);
    const [, name = '', ...profile] = specifier.split('/');
    const file = path.join(root, 'packages', name, 'src/generated', ...profile, 'index.ts');
    const documented = new Map(
      Array.from(
        readFileSync(file, 'utf8').matchAll(
          /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+export const (\w+)/g,
        ),
        ([, text = '', name = '']) => [name, text],
      ),
    );
    // Errors are of core, and `concat` stands in a file of its own.
    const own = Object.entries(codec).filter(
      ([name, value]) => typeof value === 'function' && !/Error$|^concat$/.test(name),
    );
    expect(own.length).toBe(19);
    for (const [name] of own) expect(documented.get(name), name).toContain('@example');
  });
});

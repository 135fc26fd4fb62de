/** Every example in a docstring or a README runs, and gives what it says. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { compileExample, findExamples } from '../src/example.js';
import { readPackages, root } from '../src/packages.js';

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
]
  .map((file) => path.join(root, file))
  .filter((file) => existsSync(file))
  .map((file) => [file, readFileSync(file, 'utf8')] as const);
const examples = [...texts, ...readmes].flatMap(([file, text]) =>
  findExamples(path.relative(root, file), text),
);

(globalThis as Record<string, unknown>).__check = (
  actual: unknown,
  expected: unknown,
  what: string,
) => expect(actual, what).toEqual(expected);

describe('examples', () => {
  it('are found', () => expect(examples.length).toBeGreaterThan(20));

  it.each(examples.map((example, i) => [example.place, i, example] as const))(
    '%s',
    async (_, i, example) => {
      const { script } = compileExample(example);
      const file = path.join(folder, `${i}.mjs`);
      writeFileSync(file, script);
      await import(/* @vite-ignore */ pathToFileURL(file).href);
    },
  );

  it('every public function of Codec has one', () => {
    const codec = readFileSync(path.join(root, 'packages/core/src/codec.ts'), 'utf8');
    const [, body = ''] = codec.split('export interface Codec {');
    const documented = body.split('export function')[0]?.split('/**').slice(1) ?? [];
    const functions = documented.filter((text) => /\*\/\s+\w+\(/.test(text));
    expect(functions.length).toBe(15);
    for (const text of functions) expect(text).toContain('@example');
  });
});

/** Runs every example in a docstring or a README, and compares the results with its comments. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as cesu8 from '@utf8/cesu8';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { findProgram } from '../../conformance/runtimes/programs.mjs';
import { choose } from '../../tiers/tier.js';
import { addChecks, compileExample, findExamples } from '../src/example.mjs';
import { readPackages, root } from '../src/packages.js';

const folder = mkdtempSync(path.join(tmpdir(), 'examples-'));
const before = process.cwd();
// Examples write files by their names alone.
process.chdir(folder);
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

// Below this package, so that an example in its own process can import its dependencies.
const home = fileURLToPath(new URL('../node_modules', import.meta.url));

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

/** Compiles an example that this version of Node cannot run. */
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

type Body = (load: (specifier: string) => Promise<unknown>) => Promise<void>;
const AsyncFunction = (async () => {}).constructor as new (...words: string[]) => Body;

/** Makes a function of a script: imports become calls of `load`. */
function makeBody(script: string): Body {
  const text = script
    .replace(/^import type .*$/gm, '')
    .replace(/^import '(.*)';$/gm, "await load('$1');")
    .replace(/^import \* as (\w+) from/gm, 'import $1 from')
    .replace(/^import (\w+|\{[^}]*\}) from ['"](.*)['"];$/gm, (_, names: string, specifier) => {
      const values = names.replace(/\btype \w+,?/g, '').replaceAll(' as ', ': ');
      return `const ${values} = await load('${specifier}');`;
    })
    .replace(/^export (?=const|function|class|async)/gm, '')
    .replace(/\bimport\(/g, 'load(');
  return new AsyncFunction('load', text);
}

/** Runs an example in this process, on sources. */
async function run(script: string): Promise<void> {
  let body: Body;
  try {
    body = makeBody(script);
  } catch (error) {
    // Code that is not JavaScript contains types, which few examples do.
    if (!(error instanceof SyntaxError)) throw error;
    const { ESNext: target } = ts.ScriptTarget;
    const options = { target, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
    body = makeBody(ts.transpileModule(script, { compilerOptions: options }).outputText);
  }
  await body(async (specifier) => {
    const module = await import(/* @vite-ignore */ specifier);
    // A default import names nothing else; see makeBody.
    return specifier.startsWith('node:') && module.default ? module.default : module;
  });
}

const isSqlite = ({ code }: { readonly code: string }): boolean => code.includes("'node:sqlite'");
const isSlow = ({ code }: { readonly code: string }): boolean =>
  // A probe asks thousands of questions.
  /\bprobe\(/.test(code) || (isSqlite({ code }) && !process.getBuiltinModule('node:sqlite'));

const quick = examples.filter((each) => !isSlow(each));
const isGenerated = ({ place }: { readonly place: string }): boolean =>
  /[\\/]generated[\\/]/.test(place);
/** Modules of codecs are written after one template: by day, some of their examples run. */
const generated = quick.filter(isGenerated);
const chosen = new Set(choose(generated, 12));

describe('examples', () => {
  it('are found', () => expect(examples.length).toBeGreaterThan(20));

  for (const example of quick) {
    const isLeft = isGenerated(example) && !chosen.has(example);
    it(example.place, { tags: isLeft ? ['slow'] : [] }, async () => {
      const { script, checks } = addChecks(example);
      done.clear();
      await run(script);
      expect(done.size, 'checks that ran').toBe(checks);
    });
  }

  it.for(examples.filter(isSlow).map((each) => [each.place, each] as const))(
    '%s, in a process of its own',
    { tags: ['slow'] },
    ([, example]) => {
      const { script, checks } = compileExample(example);
      const file = path.join(home, 'example.mjs');
      writeFileSync(file, compileAlone(script, checks));
      const node = isSqlite(example)
        ? findProgram('node-24', 'node-26', 'node-22')
        : process.execPath;
      if (!node) throw new Error('missing: node-24');
      execFileSync(node, ['--disable-warning=ExperimentalWarning', file]);
    },
  );

  it('every function of a codec has one, in the interface', () => {
    const text = readFileSync(path.join(root, 'packages/core/src/codec/codec.ts'), 'utf8');
    // Of overloads, the first has the example, and the last entry of a name stays in the map.
    const documented = new Map(
      Array.from(
        text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+(\w+)[(<]/g),
        ([, docstring = '', name = '']) => [name, docstring] as const,
      ).reverse(),
    );
    const functions = Object.entries(cesu8).filter(
      ([name, value]) => typeof value === 'function' && /^[a-z]/.test(name),
    );
    expect(functions.length).toBe(15);
    for (const [name] of functions) expect(documented.get(name), name).toContain('@example');
  });
});

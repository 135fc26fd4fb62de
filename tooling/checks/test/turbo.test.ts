/** What Turborepo reads: it runs the tests of each package, and again when what they read has changed. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { root } from '../src/packages.js';

interface Manifest {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

interface Workspace {
  /** Relative to the root, as `packages/core`. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** What tests consist of, relative to the folder. */
  readonly files: readonly string[];
}

const workspaces: readonly Workspace[] = ['packages', 'apps', 'tooling']
  .flatMap((top) => readdirSync(path.join(root, top)).map((name) => `${top}/${name}`))
  .filter((folder) => existsSync(path.join(root, folder, 'package.json')))
  .map((folder) => ({
    folder,
    manifest: readJson(path.join(folder, 'package.json')) as Manifest,
    files: ['src', 'test'].flatMap((top) => list(path.join(folder, top)).map((f) => `${top}/${f}`)),
  }));

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}

function list(folder: string): string[] {
  if (!existsSync(path.join(root, folder))) return [];
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => /\.(ts|mjs)$/.test(file)).map((file) => file.replaceAll('\\', '/'));
}

const hasTests = ({ files }: Workspace): boolean =>
  files.some((file) => file.startsWith('test/') && file.endsWith('.test.ts'));
const tested = workspaces.filter(hasTests);
const dependenciesOf = ({ manifest }: Workspace): string[] =>
  Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });

/** The packages whose builds a package needs, itself included. */
function findNeeded(workspace: Workspace, needed = new Set<string>()): Set<string> {
  if (needed.has(workspace.manifest.name)) return needed;
  needed.add(workspace.manifest.name);
  for (const name of dependenciesOf(workspace)) {
    const other = workspaces.find(({ manifest }) => manifest.name === name);
    if (other) findNeeded(other, needed);
  }
  return needed;
}

it('there are tests', () => expect(tested.length).toBeGreaterThan(20));

describe.each(workspaces.map((each) => [each.folder, each] as const))('%s', (folder, workspace) => {
  it('has a script for its tests, if it has tests', () => {
    const script = `vitest run --config ../../tooling/vitest.config.ts --reporter=default ${folder}/test/`;
    expect(workspace.manifest.scripts?.test).toBe(hasTests(workspace) ? script : undefined);
  });

  it('depends on every package that it imports, so that its tests follow their changes', () => {
    const needed = findNeeded(workspace);
    for (const file of workspace.files) {
      const text = readFileSync(path.join(root, folder, file), 'utf8');
      for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
        const [name] = /^@utf8\/[\w-]+/.exec(fileName) ?? [];
        if (name) expect([...needed], `${folder}/${file}`).toContain(name);
      }
    }
  });
});

/** What the tests of a package read; undefined if that is everything, as `turbo.json` of the root has it. */
function readInputs({ folder }: Workspace): readonly string[] | undefined {
  const file = path.join(folder, 'turbo.json');
  if (!existsSync(path.join(root, file))) return undefined;
  const { tasks } = readJson(file) as { tasks: { test?: { inputs?: readonly string[] } } };
  return tasks.test?.inputs;
}

const narrow = tested.filter(readInputs);

/** What every task depends on. */
const { globalDependencies } = readJson('turbo.json') as { globalDependencies: readonly string[] };

/** Files of this repository, and no packages of npm, that a text names by a relative path. */
const namedIn = (text: string): string[] =>
  Array.from(
    text.matchAll(/(['"`])((?:\.\.\/){2,}[^'"`$\n]+)\1/g),
    ([, , name = '']) => name,
  ).filter((name) => !name.includes('node_modules'));

it('all published packages name what their tests read, and tooling reads everything', () => {
  const published = tested.filter(({ folder }) => folder.startsWith('packages/'));
  expect(narrow).toEqual(published);
});

describe.each(narrow.map((each) => [each.folder, each] as const))('%s', (folder, workspace) => {
  const inputs = (readInputs(workspace) ?? [])
    .filter((input) => input.startsWith('$TURBO_ROOT$/'))
    .map((input) => input.slice('$TURBO_ROOT$/'.length));
  const patterns = [...inputs, ...globalDependencies].map(toExpression);
  const needed = workspaces.filter(({ manifest }) => findNeeded(workspace).has(manifest.name));

  it('names what its tests read', () => {
    for (const file of workspace.files.filter((each) => each.startsWith('test/'))) {
      const at = path.posix.join(folder, path.posix.dirname(file));
      for (const name of namedIn(readFileSync(path.join(root, folder, file), 'utf8'))) {
        const target = path.posix.join(at, name).replace(/\.js$/, '.ts');
        if (target.startsWith(`${folder}/`) || !isFile(target)) continue;
        const isBuilt = needed.some((other) => target.startsWith(`${other.folder}/src/`));
        const isInput = patterns.some((pattern) => pattern.test(target));
        expect(isBuilt || isInput, `${folder}/${file} reads ${target}`).toBe(true);
      }
    }
  });
});

function isFile(target: string): boolean {
  return statSync(path.join(root, target), { throwIfNoEntry: false })?.isFile() ?? false;
}

/** A pattern of Turborepo with `*`, `**` and `{one,other}` as a regular expression. */
function toExpression(pattern: string): RegExp {
  const source = pattern
    .replace(/[.$()]/g, '\\$&')
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`)
    .replace(/\*+/g, (stars) => (stars === '*' ? '[^/]*' : '.*'));
  return new RegExp(`^${source}$`);
}

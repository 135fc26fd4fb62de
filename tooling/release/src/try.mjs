/** The first steps of users with packages: install them, run the lines of their READMEs, and check types. */
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { compileExample, findExamples } from '../../checks/src/example.mjs';
import { root } from './program.mjs';
import { run } from './run.mjs';

/** @typedef {import('./pack.mjs').Packed} Packed */

const require = createRequire(import.meta.url);

/** @type {readonly ('esm' | 'commonjs')[]} */
const BOTH = ['esm', 'commonjs'];
const ESM = BOTH.slice(0, 1);

const ASSERT = {
  esm: "import { deepStrictEqual, notEqual } from 'node:assert';\n",
  commonjs: "const { deepStrictEqual, notEqual } = require('node:assert');\n",
};

const CHECK = `const __done = new Set();
globalThis.__check = (actual, expected, what, index) => {
  __done.add(index);
  deepStrictEqual(actual, expected, what);
};
`;

/** Each module has exports. */
const LOAD = {
  esm: "notEqual(Object.keys(await import('MODULE')).length, 0, 'MODULE');\n",
  commonjs: "notEqual(Object.keys(require('MODULE')).length, 0, 'MODULE');\n",
};

/**
 * Installs tarballs with npm, and runs their programs and examples.
 *
 * @param {readonly Packed[]} packages
 * @param {string} project - An empty folder.
 * @param {readonly string[]} [options] - Of npm install, such as `--offline`.
 * @returns {Generator<string, void>} A line for each thing that works.
 */
export function* tryPackages(packages, project, options = ['--prefer-offline']) {
  writeFileSync(path.join(project, 'package.json'), '{ "private": true }\n');
  const tarballs = packages.map(({ file }) => file);
  run('npm', ['install', '--no-audit', '--no-fund', ...options, ...tarballs], project);
  yield `packages installed: ${packages.length}`;

  for (const each of packages) yield* tryModules(each, project);
  yield* tryTypes(packages, project);
  if (packages.some(({ name }) => name === '@utf8/cli')) yield* tryCommand(packages, project);
}

/**
 * Imports every module of a package, and runs the first lines of its README.
 *
 * @param {Packed} each
 * @param {string} project
 */
function* tryModules({ name, folder, modules, isModuleOnly }, project) {
  const installed = path.join(project, 'node_modules', name);
  if (realpathSync(installed) !== installed) throw new Error(`${name} is linked, not installed`);
  // A command has none, and tryCommand runs it.
  if (modules.length === 0) return;
  const [example] = findExamples(name, readFileSync(path.join(folder, 'README.md'), 'utf8'));
  for (const format of isModuleOnly ? ESM : BOTH) {
    const loads = modules.map((module) => LOAD[format].replaceAll('MODULE', module));
    runScript(loads.join(''), format, project);
    const { script, checks } = example
      ? compileExample(example, format)
      : { script: '', checks: 0 };
    // Code without checks needs no files and no server.
    if (checks > 0) {
      const count = `deepStrictEqual(__done.size, ${checks}, 'checks that ran');\n`;
      runScript(script + count, format, project);
    }
    yield `${name}, ${format}: modules imported: ${modules.length}, checks of the README: ${checks}`;
  }
}

/**
 * @param {string} script
 * @param {'esm' | 'commonjs'} format
 * @param {string} project
 */
function runScript(script, format, project) {
  const file = `program.${format === 'esm' ? 'mjs' : 'cjs'}`;
  writeFileSync(path.join(project, file), `${ASSERT[format]}${CHECK}${script}`);
  run(process.execPath, [file], project);
}

/**
 * Checks the types of every module, without `skipLibCheck`.
 *
 * @param {readonly Packed[]} packages
 * @param {string} project
 */
function* tryTypes(packages, project) {
  const formats = {
    mts: packages.flatMap(({ modules }) => modules),
    cts: packages.flatMap(({ modules, isModuleOnly }) => (isModuleOnly ? [] : modules)),
  };
  for (const [extension, modules] of Object.entries(formats)) {
    const lines = modules.map((name, i) => `export * as module${i} from '${name}';\n`);
    writeFileSync(path.join(project, `types.${extension}`), lines.join(''));
  }
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom'],
    strict: true,
    noEmit: true,
    skipDefaultLibCheck: true,
    types: ['node'],
    typeRoots: [path.join(root, 'node_modules/@types')],
  };
  const files = Object.keys(formats).map((extension) => `types.${extension}`);
  writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  run(process.execPath, [require.resolve('typescript/lib/tsc.js'), '-p', '.'], project);
  yield `types checked: modules in ESM: ${formats.mts.length}, in CommonJS: ${formats.cts.length}`;
}

/**
 * Runs the command as npx finds it.
 *
 * @param {readonly Packed[]} packages
 * @param {string} project
 */
function* tryCommand(packages, project) {
  const utf8 = (/** @type {string[]} */ ...words) =>
    run('npx', ['--no', '--', 'utf8', ...words], project);
  const version = utf8('--version').trim();
  const expected = packages.find(({ name }) => name === '@utf8/cli')?.version;
  if (version !== expected) throw new Error(`utf8 --version is ${version}, not ${expected}`);
  yield `utf8 --version: ${version}`;
  const sample = 'node_modules/@utf8/cli/sample/customers.csv';
  utf8('convert', sample, '--from', 'cesu-8+utf-8', '-o', 'converted.csv');
  const [before, after] = [sample, 'converted.csv'].map((file) =>
    readFileSync(path.join(project, file)),
  );
  if (!before || !after || before.equals(after)) throw new Error('utf8 convert changed nothing');
  // It throws if the output is not UTF-8.
  new TextDecoder('utf-8', { fatal: true }).decode(after);
  yield `utf8 convert: ${before.length} bytes to ${after.length} bytes of UTF-8`;
}

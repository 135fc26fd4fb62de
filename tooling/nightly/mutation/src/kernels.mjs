/** Judges mutants of AssemblyScript: compiles them, and runs tests of the codecs whose WebAssembly differs. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  assemble,
  listGrammars,
  planKernel,
  readGrammar,
  writeEntry,
} from '../../../compiler/compiler.mjs';
import { apply } from './assembly.mjs';
import { nameKernel } from './replace-kernels.mjs';
import { writeVerdict } from './report.mjs';
import { kernelTests, suiteTests } from './tiers.mjs';

const child = fileURLToPath(new URL('./kernel-tests.mjs', import.meta.url));

/** Milliseconds that tests may take more than without a mutant. */
const PATIENCE = 10_000;

/**
 * Judges mutants.
 *
 * @param {readonly import('./assembly.mjs').AssemblyMutant[]} mutants
 * @param {{ config: string, root: string }} order Where vitest's configuration is.
 * @returns {Promise<import('./report.mjs').Verdict[]>}
 */
export async function judgeAssembly(mutants, { config, root }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'utf8-kernels-'));
  const tests = new Tests(config, folder);
  try {
    const kernels = await listKernels();
    // Whatever fails from here on is a mutant's doing; and what takes much longer has no end.
    const began = performance.now();
    const [{ name }] = kernels;
    if (!(await tests.pass(kernelTests, selectCodec(name)))) {
      throw new Error(`tests of ${name} fail without a mutant`);
    }
    tests.patience = PATIENCE + 5 * (performance.now() - began);
    const verdicts = [];
    for (const mutant of mutants) {
      const status = await judge(mutant, kernels, tests, folder);
      const verdict = { ...mutant, status };
      verdicts.push(verdict);
      const place = `${verdicts.length} of ${mutants.length}`;
      console.error(`${place}: ${writeVerdict(verdict, root)}`);
    }
    return verdicts;
  } finally {
    tests.end();
    rmSync(folder, { recursive: true });
  }
}

/** Finds the first test that fails, codec by codec, and then those of everything. */
async function judge(mutant, kernels, tests, folder) {
  const source = apply(readFileSync(mutant.file, 'utf8'), mutant);
  const written = [];
  try {
    for (const { name, file, plan, wasm } of kernels) {
      let changed;
      try {
        changed = await compile(plan, { [path.basename(mutant.file)]: source });
      } catch {
        return 'invalid';
      }
      if (changed === wasm) continue;
      const target = path.join(folder, file);
      writeFileSync(target, changed);
      written.push(target);
      if (!(await tests.pass(kernelTests, selectCodec(name)))) return 'killed';
    }
    if (written.length === 0) return 'invalid';
    return (await tests.pass(suiteTests)) ? 'survived' : 'killed';
  } finally {
    for (const target of written) rmSync(target);
  }
}

/** The tests of a codec, by their names. */
const selectCodec = (name) => `^${name}[ ,]`;

const compile = async (plan, sources) =>
  Buffer.from(await assemble(writeEntry(plan), sources)).toString('hex');

/** Plans the kernels of all codecs, and compiles them without a mutant. */
async function listKernels() {
  const kernels = [];
  for (const { source, profile, specifier } of listGrammars()) {
    if (!specifier) continue;
    const { grammar } = await readGrammar(path.join(source, profile, 'grammar.ts'));
    const plan = planKernel(grammar);
    const module = path.join(source, 'generated', profile, 'wasm.ts');
    kernels.push({
      name: specifier.replace('@utf8/', ''),
      file: nameKernel(module),
      plan,
      wasm: await compile(plan, {}),
    });
  }
  // Profiles differ little from the codec that they are of.
  return kernels.sort((a, b) => a.name.includes('/') - b.name.includes('/'));
}

/** Runs tests in a process of their own. */
class Tests {
  patience = 3_600_000;
  #config;
  #folder;
  #process;

  constructor(config, folder) {
    this.#config = config;
    this.#folder = folder;
  }

  /** Tells whether tests pass: not if they do not end, either. */
  async pass(files, names) {
    if (!this.#process) {
      const env = { ...process.env, UTF8_MUTATED: 'assembly', UTF8_KERNELS: this.#folder };
      this.#process = fork(child, [this.#config], {
        env,
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      await once(this.#process, 'message');
    }
    const { promise, resolve } = createPromise();
    const timer = setTimeout(() => resolve('endless'), this.patience);
    this.#process.once('message', ({ isPassed }) => resolve(isPassed));
    this.#process.once('exit', () => resolve('ended'));
    this.#process.send({ files, names });
    const result = await promise;
    clearTimeout(timer);
    this.#process.removeAllListeners();
    if (result === 'ended') throw new Error('the process of the tests ended');
    if (result === 'endless') this.end();
    return result === true;
  }

  end() {
    this.#process?.kill('SIGKILL');
    this.#process = undefined;
  }
}

function createPromise() {
  let resolve;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

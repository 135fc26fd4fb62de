/**
 * Plugins of Stryker's: one that lets through the mutants of a sample, since Stryker selects places and has several
 * mutants at one; one that tells each verdict at once, since runs take hours; and its runner of vitest's tests, which
 * by itself takes no notice of files that fail as a whole.
 */
import { readFileSync } from 'node:fs';
import {
  commonTokens,
  declareClassPlugin,
  declareFactoryPlugin,
  PluginKind,
} from '@stryker-mutator/api/plugin';
import { TestStatus } from '@stryker-mutator/api/test-runner';
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';
import { writeVerdict } from './report.mjs';
import { identify, readMutant, readVerdict } from './verdict.mjs';

class Sampler {
  #wanted;

  async init() {
    this.#wanted = new Set(JSON.parse(readFileSync(process.env.UTF8_SAMPLE, 'utf8')));
  }

  async check(mutants) {
    return Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        this.#wanted.has(identify(readMutant(mutant)))
          ? { status: 'passed' }
          : { status: 'compileError', reason: 'not in the sample' },
      ]),
    );
  }
}

const createSampler = () => new Sampler();
createSampler.inject = [];

class Teller {
  #wanted = JSON.parse(readFileSync(process.env.UTF8_SAMPLE, 'utf8'));
  #rest = new Set(this.#wanted);

  onMutantTested(result) {
    const verdict = readVerdict(result);
    if (!this.#rest.delete(identify(verdict))) return;
    const all = this.#wanted.length;
    console.error(`${all - this.#rest.size} of ${all}: ${writeVerdict(verdict, process.cwd())}`);
  }
}

/**
 * Creates the runner. A file fails as a whole if a hook fails, or the import of a module, and since the first failure
 * ends a run, the tests after it do not run either. Without a mutant, that must not pass for a coverage.
 */
function createRunner(injector) {
  const [{ factory }] = vitestPlugins;
  const runner = injector.injectFunction(factory);
  const run = runner.run.bind(runner);
  runner.run = async (options) => {
    const result = await run(options);
    const isFailed = ({ status }) => status === TestStatus.Failed;
    const file = runner.ctx.state.getFiles().find((each) => each.result?.state === 'fail');
    if (!file || !result.tests || result.tests.some(isFailed)) return result;
    const failureMessage = file.result.errors?.[0]?.message ?? 'a hook failed';
    const failed = { id: file.name, name: file.name, timeSpentMs: 0, failureMessage };
    return { ...result, tests: [...result.tests, { ...failed, status: TestStatus.Failed }] };
  };
  return runner;
}
createRunner.inject = [commonTokens.injector];

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.Checker, 'sampler', createSampler),
  declareFactoryPlugin(PluginKind.TestRunner, 'whole-files', createRunner),
  declareClassPlugin(PluginKind.Reporter, 'teller', Teller),
];

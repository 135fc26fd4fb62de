/** Prints what a run left out, and fails a run by day of which a test takes too long. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { bounds, hasSlow, type Tier, TOLERANCE } from './tier.js';

interface FileReport {
  readonly file: string;
  /** CPU time of its process in seconds, with imports. */
  cpu: number;
  passed: number;
  failed: number;
  skipped: number;
  /** The greatest slowness of its tests. */
  slowness: number;
  readonly tests: { name: string; state: string; cpu: number; slowness: number }[];
}

/** Where the report of a run is written. */
export const REPORT = 'node_modules/.cache/test-report.json';

export default class TierReporter implements Reporter {
  /** Files that are left as a whole, and the tag that leaves them. */
  readonly leftFiles = new Map<string, string>();
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const { root = '.', watch } = this.#vitest?.config ?? {};
    const left = new Map<string, number>();
    const files = modules.map((module): FileReport => {
      const meta = module.meta();
      for (const [tag, count] of Object.entries(meta.left ?? {})) {
        left.set(tag, (left.get(tag) ?? 0) + count);
      }
      return describe(module, root);
    });
    const sum = (key: 'passed' | 'failed' | 'skipped'): number =>
      files.reduce((total, file) => total + file[key], 0);
    const place = path.join(root, REPORT);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, JSON.stringify(files));

    const tier = process.env.UTF8_TIER as Tier;
    const wholeFiles = [...this.leftFiles.values()];
    const describeLeft = (tag: string, place: string): string => {
      const tests = left.get(tag) ?? 0;
      const whole = wholeFiles.filter((each) => each === tag).length;
      const what = [
        ...(tests ? [`tests: ${tests}`] : []),
        ...(whole ? [`whole files: ${whole}`] : []),
      ];
      return what.length > 0 ? `; left to ${place} (${what.join(', ')})` : '';
    };
    console.log(
      `tier ${tier}, seed ${process.env.UTF8_SEED} (repeat with UTF8_SEED)` +
        `${describeLeft('slow', '.ci/run')}${describeLeft('night', '.ci/nightly')}` +
        `${tier === 'test' ? '; .ci/run also asks other programs' : ''}`,
    );
    if (tier !== 'test') {
      const slowest = files.toSorted((a, b) => b.cpu - a.cpu).slice(0, 20);
      console.log(
        `CPU seconds of the slowest files: ${slowest.map(({ file, cpu }) => `${file} ${Math.round(cpu)}`).join(', ')}`,
      );
    }
    if (watch) return;
    if (sum('passed') + sum('failed') === 0 && left.size + wholeFiles.length === 0)
      this.#fail(`no test of tier ${tier} ran`);
    if (tier === 'test') {
      for (const line of findSlow(files)) this.#fail(line);
      for (const module of modules) {
        const { slow: tests = 0 } = module.meta().left ?? {};
        if (tests > 0 && !hasSlow(readFileSync(module.moduleId, 'utf8')))
          this.#fail(`${module.moduleId}: does not name the tag of its tests, \`slow\``);
      }
      const skipped = files.filter((file) => file.skipped > 0);
      for (const { file } of skipped) this.#fail(`${file}: skips tests in npm test`);
    }
  }

  #fail(reason: string): void {
    console.error(`error: ${reason}`);
    process.exitCode = 1;
  }
}

function describe(module: TestModule, root: string): FileReport {
  const report: FileReport = {
    file: path.relative(root, module.moduleId),
    cpu: 0,
    passed: 0,
    failed: 0,
    skipped: 0,
    slowness: 1,
    tests: [],
  };
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    if (state !== 'pending') report[state]++;
    const { cpu = 0, cpuSoFar = 0, slowness = 1 } = test.meta();
    report.cpu = Math.max(report.cpu, cpuSoFar);
    report.slowness = Math.max(report.slowness, slowness);
    report.tests.push({ name: test.fullName, state, cpu, slowness });
  }
  // A file that fails before its first test.
  if (module.state() === 'failed' && report.failed === 0) report.failed = 1;
  return report;
}

/** Lists what takes longer than `npm test` allows. */
function findSlow(files: readonly FileReport[]): string[] {
  return files.flatMap(({ file, cpu, slowness, tests }) => [
    ...(cpu > TOLERANCE * slowness * bounds.file
      ? [`${file}: takes ${cpu.toFixed(1)} s of CPU time, above ${bounds.file}; tag tests \`slow\``]
      : []),
    ...tests
      .filter((test) => test.cpu > TOLERANCE * test.slowness * bounds.test)
      .map(
        ({ name, cpu: seconds }) =>
          `${file}: “${name}” takes ${seconds.toFixed(1)} s of CPU time, above ${bounds.test}; tag it \`slow\``,
      ),
  ]);
}

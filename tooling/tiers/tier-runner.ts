/** Leaves out the tests of longer tiers, and measures the CPU time of each test. */
import { readFileSync } from 'node:fs';
import type { File, Suite, Task, Test } from '@vitest/runner';
import { TestRunner } from 'vitest';
import { asksPrograms, bounds, leftOut, TOLERANCE, tier } from './tier.js';

declare module '@vitest/runner' {
  interface TaskMeta {
    /** CPU time of a test in seconds, with that of programs that it has waited for. */
    cpu?: number;
    /** CPU time of its process when the test ended. */
    cpuSoFar?: number;
    /** Time that fixed work took, relative to the machine that set the bounds; measured if one seems exceeded. */
    slowness?: number;
    /** Number of a file's tests that are left to each longer tier. */
    left?: Readonly<Record<string, number>>;
  }
}

/** Tells whether `.ci/run` has run a test with `npm test` already. */
const hasRun = ({ tags = [] }: Task, file: string): boolean =>
  tier === 'ci' && !tags.includes('slow') && !asksPrograms(file);

type Collected = (files: File[]) => unknown;

export default class TierRunner extends TestRunner {
  #onCollected: Collected | undefined;
  #start = 0;
  /** CPU time that measuring the machine took, in seconds. */
  #measuring = 0;

  get onCollected(): Collected | undefined {
    return this.#onCollected;
  }

  /** vitest sets this to what reports the tests of a file, which must not see those left out. */
  set onCollected(report: Collected) {
    this.#onCollected = (files) => {
      for (const file of files) {
        const left: Record<string, number> = {};
        leave(file, file.filepath, left);
        // Otherwise its hooks would run.
        if (file.tasks.length === 0 && !file.result?.errors) file.mode = 'skip';
        file.meta.left = left;
      }
      return report(files);
    };
  }

  override async onAfterRunSuite(suite: Suite): Promise<void> {
    // Snapshots of tests that are left to longer tiers are not obsolete: only the night, which leaves none, tells.
    if (tier !== 'night' && 'filepath' in suite) {
      // biome-ignore lint/complexity/useLiteralKeys: only so can a private member be read
      const snapshots = this['snapshotClient'].getSnapshotState(suite.file.filepath);
      for (const key of snapshots.getUncheckedKeys()) {
        snapshots.markSnapshotsAsCheckedForTest(key.replace(/ \d+$/, ''));
      }
    }
    await super.onAfterRunSuite(suite);
  }

  override async onBeforeRunTask(test: Test): Promise<void> {
    await super.onBeforeRunTask(test);
    this.#start = measureCpu();
  }

  override onAfterRunTask(test: Test): void {
    super.onAfterRunTask(test);
    const end = measureCpu();
    test.meta.cpu = end - this.#start;
    test.meta.cpuSoFar = end - this.#measuring;
    if (
      tier === 'test' &&
      (test.meta.cpu > TOLERANCE * bounds.test || test.meta.cpuSoFar > TOLERANCE * bounds.file)
    ) {
      // A slow machine is not the test's fault, and other work may have left it when the run ends.
      test.meta.slowness = Math.max(1, measureSpeed() / REFERENCE);
      this.#measuring += measureCpu() - end;
    }
  }
}

/** Seconds that `measureSpeed` took where the bounds were set. */
const REFERENCE = 0.42;

/** The CPU time of work that is always the same, in seconds. */
function measureSpeed(): number {
  const start = process.cpuUsage();
  let hash = 0;
  for (let i = 0; i < 2e8; i++) hash = Math.imul(hash ^ i, 0x01000193);
  // The sum has to be used, or it would not be computed.
  return process.cpuUsage(start).user / 1e6 + (hash & 0);
}

/** Removes tests of other tiers from a suite, and counts those of longer ones by tag. */
function leave(suite: Suite, file: string, left: Record<string, number>): void {
  suite.tasks = suite.tasks.filter((task: Task) => {
    if (task.type === 'suite') {
      leave(task, file, left);
      return task.tasks.length > 0;
    }
    const tag = leftOut[tier].findLast((each) => task.tags?.includes(each));
    if (tag) left[tag] = (left[tag] ?? 0) + 1;
    return !tag && !hasRun(task, file);
  });
}

/** The CPU time of this process and of the programs that it has waited for, in seconds. */
function measureCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + measureChildren();
}

function measureChildren(): number {
  if (process.platform !== 'linux') return 0;
  // The name of the program may contain spaces. Ticks of user and system time are fields 16 and 17.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

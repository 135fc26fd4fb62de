/** Runs test files with vitest's runner in the current runtime. */
import {
  type File,
  startTests,
  type Task,
  type VitestRunner,
  type VitestRunnerConfig,
} from '@vitest/runner';
import { getFullName } from '@vitest/runner/utils';
import type { Report } from '../report.js';
import { host } from './host.js';

const config: VitestRunnerConfig = {
  root: '/',
  setupFiles: [],
  name: undefined,
  passWithNoTests: false,
  testNamePattern: undefined,
  allowOnly: false,
  sequence: {
    shuffle: false,
    concurrent: false,
    seed: 0,
    hooks: 'stack',
    setupFiles: 'list',
  },
  chaiConfig: undefined,
  maxConcurrency: 1,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  retry: 0,
  includeTaskLocation: false,
  tags: [{ name: 'slow' }, { name: 'night' }],
  tagsFilter: ['!slow', '!night'],
  strictTags: true,
};

/** Runs files, each given as what imports it, by its path. */
export async function run(files: Readonly<Record<string, () => unknown>>): Promise<Report> {
  const runner: VitestRunner = {
    config,
    importFile: (path) => files[path]?.(),
  };
  const done = (await startTests(Object.keys(files), runner)) as File[];
  const report = { passed: 0, skipped: 0, failures: [] as Report['failures'][number][] };
  const visit = (task: Task): void => {
    const { state, errors = [] } = task.result ?? {};
    for (const { message, stack } of errors) {
      report.failures.push({ name: getFullName(task), message: message ?? stack ?? '' });
    }
    if ('tasks' in task) for (const part of task.tasks) visit(part);
    else if (state === 'pass') report.passed++;
    else if (state !== 'fail') report.skipped++;
  };
  for (const file of done) visit(file);
  return {
    about: describeRuntime(),
    webAssembly: tryWebAssembly(),
    ...report,
    files: done.map(({ name, result }) => ({
      name,
      seconds: Math.round((result?.duration ?? 0) / 1000),
    })),
  };
}

interface Globals {
  readonly Bun?: { readonly version: string };
  readonly Deno?: { readonly version: { readonly deno: string } };
  readonly process?: { readonly version: string };
  readonly navigator?: { readonly userAgent: string };
}

function describeRuntime(): string {
  if (host.about) return host.about;
  // Those that play Node come before it.
  const { Bun, Deno, process, navigator } = globalThis as Globals;
  if (navigator?.userAgent === 'Cloudflare-Workers') return 'workerd';
  if (Bun) return `Bun ${Bun.version}`;
  if (Deno) return `Deno ${Deno.version.deno}`;
  if (process) return `Node ${process.version}`;
  const agent = /\w*Chrom\w*\/[\d.]+|Firefox\/[\d.]+/.exec(navigator?.userAgent ?? '');
  return agent?.[0] ?? 'an unknown browser';
}

function tryWebAssembly(): Report['webAssembly'] {
  try {
    if (typeof WebAssembly === 'undefined') return 'is missing';
    new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
    return 'works';
  } catch {
    return 'is refused';
  }
}

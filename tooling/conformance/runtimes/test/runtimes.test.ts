/**
 * The conformance suite in other runtimes, from the packages as they were built. `tooling/conformance/runtimes/install.mjs`
 * fetches all but the browsers.
 */
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { limitConcurrency } from '@vitest/runner/utils';
import { describe, expect, it } from 'vitest';
import { isNight } from '../../../tiers/tier.js';
import { browserPrograms } from '../browsers.mjs';
import { findFetched, findProgram, thisNode } from '../programs.mjs';
import { bundleSuite, type Extent, type Form } from '../src/bundle.js';
import { runChild } from '../src/child.js';
import { runChromium } from '../src/chromium.js';
import { runContext } from '../src/context.js';
import { runFirefox } from '../src/firefox.js';
import { runJest } from '../src/jest.js';
import type { Report } from '../src/report.js';
import { runWorkerd } from '../src/workerd.js';

interface Runtime {
  readonly name: string;
  /** The programs that will do, by name. */
  readonly programs: readonly string[];
  /** The package that the program loads, by its name in `versions.json`. */
  readonly library?: string;
  readonly form: Form;
  /** Expected state of WebAssembly (default: `works`). */
  readonly webAssembly?: Report['webAssembly'];
  readonly run: (program: string, bundle: string, library: string) => Promise<Report>;
}

/** With options for the runtime before the file. */
const child =
  (...options: readonly string[]): Runtime['run'] =>
  (program, bundle) =>
    runChild(program, [...options, bundle]);

const deleting = (...names: readonly string[]): string =>
  `data:text/javascript,${names.map((name) => `delete globalThis.${name}`).join(';')}`;
const preloading = (file: string): Runtime['run'] =>
  child('--import', new URL(`../src/inside/${file}`, import.meta.url).href);

/** With one backend, on a Node that would mostly choose another. */
const withBackend = (backend: string, node: string): Runtime => ({
  name: `${node}-with-${backend}`,
  programs: [node],
  form: 'esm',
  run: preloading(`backend.mjs?${backend}`),
});

const { chromium, firefox } = browserPrograms;
const nodes = ['node-20', 'node-22', 'node-24', 'node-26'];

const runtimes: readonly Runtime[] = [
  ...nodes.map((name) => ({ name, programs: [name], form: 'esm' as const, run: child() })),
  ...nodes.map((name) => ({
    name: `${name}-frozen`,
    programs: [name],
    form: 'esm' as const,
    run: child('--frozen-intrinsics'),
  })),
  {
    name: 'node-24-ses',
    programs: ['node-24'],
    form: 'esm',
    run: child('--import', new URL('../../hostile/src/lockdown.mjs', import.meta.url).href),
  },
  { name: 'node-22-commonjs', programs: ['node-22'], form: 'commonjs', run: child() },
  {
    name: 'node-20-without-wasm',
    programs: ['node-20'],
    form: 'esm',
    webAssembly: 'is missing',
    run: child('--import', deleting('WebAssembly')),
  },
  {
    name: 'node-20-without-text-coders',
    programs: ['node-20'],
    form: 'esm',
    run: child('--import', deleting('Buffer', 'TextDecoder', 'TextEncoder')),
  },
  {
    name: 'node-20-hostile',
    programs: ['node-20'],
    form: 'esm',
    webAssembly: 'is refused',
    run: preloading('hostile.mjs'),
  },
  withBackend('platform', 'node-20'),
  withBackend('webassembly', 'node-26'),
  withBackend('javascript', 'node-24'),
  {
    name: 'node-26-liar',
    programs: ['node-26'],
    form: 'esm',
    run: preloading('liar.mjs'),
  },
  {
    name: 'context',
    programs: [thisNode],
    form: 'web',
    run: (program, bundle) => runContext(program, bundle),
  },
  {
    name: 'edge-runtime',
    programs: [thisNode],
    library: 'edge-runtime',
    form: 'web',
    run: runContext,
  },
  { name: 'jest-jsdom', programs: [thisNode], library: 'jest', form: 'web-commonjs', run: runJest },
  {
    name: 'deno',
    programs: ['deno'],
    form: 'esm',
    run: child('run', '--quiet', '--no-prompt', '--no-remote', '--allow-read', '--allow-env'),
  },
  { name: 'bun', programs: ['bun'], form: 'esm', run: child('--no-install') },
  {
    name: 'workerd',
    programs: ['workerd'],
    form: 'web',
    webAssembly: 'is refused',
    run: (program, bundle) => runWorkerd(program, bundle),
  },
  {
    name: 'workerd-without-node',
    programs: ['workerd'],
    form: 'web',
    webAssembly: 'is refused',
    run: (program, bundle) => runWorkerd(program, bundle, ['no_nodejs_compat_v2']),
  },
  { name: 'firefox', programs: firefox, form: 'web', run: runFirefox },
  {
    name: 'chromium',
    programs: chromium,
    form: 'web',
    run: (program, bundle) => runChromium(program, bundle),
  },
  {
    name: 'chromium-without-wasm',
    programs: chromium,
    form: 'web',
    webAssembly: 'is refused',
    // It has no 'wasm-unsafe-eval'.
    run: (program, bundle) =>
      runChromium(program, bundle, "default-src 'none'; script-src 'self' 'nonce-map'"),
  },
];

/** The newest engine, another platform, and a browser; what runs these tests is the oldest engine. */
const byDay: readonly string[] = ['node-26', 'deno', 'chromium'];
const chosen = isNight ? runtimes : runtimes.filter(({ name }) => byDay.includes(name));

/** By day, one runtime of each engine runs all. */
const extentOf = (name: string): Extent => (isNight || name === 'node-26' ? 'all' : 'platform');

const limit = limitConcurrency(availableParallelism());

describe.concurrent('the suite passes in', () => {
  for (const { name, programs, library, form, webAssembly = 'works', run } of chosen) {
    const program = findProgram(...programs);
    const fetched = library === undefined ? '' : findFetched(library);
    const missing = program === undefined ? programs[0] : fetched === undefined ? library : '';

    // The time to wait for the others counts, too.
    it(name, { timeout: 3_600_000 }, async () => {
      if (missing) throw new Error(`missing: ${missing}`);
      const bundle = await bundleSuite(form, extentOf(name));
      const { report, seconds } = await limit(async () => {
        const start = performance.now();
        const report = await run(program as string, bundle, fetched as string);
        return { report, seconds: Math.round((performance.now() - start) / 1000) };
      });
      const { about, passed, skipped, failures, files } = report;
      const slowest = [...files].sort((a, b) => b.seconds - a.seconds).slice(0, 4);
      console.log(
        `${name}: ${about}, WebAssembly ${report.webAssembly}: ` +
          `${passed} passed, ${failures.length} failed, ${skipped} skipped in ${seconds} s; ` +
          `slowest: ${slowest.map(({ name, seconds }) => `${path.basename(name)} ${seconds} s`).join(', ')}`,
      );
      const first = failures.slice(0, 10).map((failure) => `${failure.name}\n  ${failure.message}`);
      expect(first.join('\n'), `${failures.length} failed in ${about}`).toBe('');
      expect(passed).toBeGreaterThan(isNight ? 4000 : 1000);
      expect(report.webAssembly).toBe(webAssembly);
    });
  }
});

/**
 * The quick tier of the conformance suite in other runtimes, from the packages as they were built.
 * What is not installed is skipped: `tooling/runtimes/install.mjs` fetches all but Chromium.
 */
import { availableParallelism } from 'node:os';
import { limitConcurrency } from '@vitest/runner/utils';
import { describe, expect, it } from 'vitest';
import { bundleSuite, type Host } from '../src/bundle.js';
import { findProgram, runChild } from '../src/child.js';
import { runPage } from '../src/page.js';
import type { Report } from '../src/report.js';

interface Runtime {
  readonly name: string;
  /** The programs that will do, by name. */
  readonly programs: readonly string[];
  readonly host: Host;
  /** `works` where nothing else is said. */
  readonly webAssembly?: Report['webAssembly'];
  readonly run: (program: string, bundle: string) => Promise<Report>;
}

/** With options for the runtime before the file. */
const child =
  (...options: readonly string[]): Runtime['run'] =>
  (program, bundle) =>
    runChild(program, [...options, bundle]);

const browsers = ['chromium', 'chromium-browser', 'google-chrome'];
const nodes = ['node-20', 'node-22', 'node-24'];

const runtimes: readonly Runtime[] = [
  ...nodes.map((name) => ({ name, programs: [name], host: 'esm' as const, run: child() })),
  { name: 'node-22-commonjs', programs: ['node-22'], host: 'commonjs', run: child() },
  {
    name: 'node-20-without-wasm',
    programs: ['node-20'],
    host: 'esm',
    webAssembly: 'is missing',
    run: child('--import', 'data:text/javascript,delete globalThis.WebAssembly'),
  },
  {
    name: 'deno',
    programs: ['deno'],
    host: 'esm',
    run: child('run', '--quiet', '--no-prompt', '--no-remote', '--allow-read', '--allow-env'),
  },
  { name: 'bun', programs: ['bun'], host: 'esm', run: child('--no-install') },
  { name: 'chromium', programs: browsers, host: 'browser', run: runPage },
  {
    name: 'chromium-without-wasm',
    programs: browsers,
    host: 'browser',
    webAssembly: 'is refused',
    // It has no 'wasm-unsafe-eval'.
    run: (program, bundle) =>
      runPage(program, bundle, "default-src 'none'; script-src 'self' 'nonce-map'"),
  },
];

const bundles = new Map<Host, Promise<string>>();
const limit = limitConcurrency(availableParallelism());

describe.concurrent('the quick tier passes in', () => {
  for (const { name, programs, host, webAssembly = 'works', run } of runtimes) {
    const program = findProgram(...programs);
    if (!program) console.log(`skipped: ${name}: ${programs[0]} is not installed`);

    // The time to wait for the others counts, too.
    it.skipIf(!program)(name, { timeout: 1_800_000 }, async () => {
      const bundle = bundles.get(host) ?? bundleSuite(host);
      bundles.set(host, bundle);
      const file = await bundle;
      const { report, seconds } = await limit(async () => {
        const start = performance.now();
        const report = await run(program as string, file);
        return { report, seconds: Math.round((performance.now() - start) / 1000) };
      });
      const { about, passed, skipped, failures } = report;
      console.log(
        `${name}: ${about}, WebAssembly ${report.webAssembly}: ` +
          `${passed} passed, ${failures.length} failed, ${skipped} skipped in ${seconds} s`,
      );
      const first = failures.slice(0, 10).map((failure) => `${failure.name}\n  ${failure.message}`);
      expect(first.join('\n'), `${failures.length} failed in ${about}`).toBe('');
      expect(passed).toBeGreaterThan(4000);
      expect(report.webAssembly).toBe(webAssembly);
    });
  }
});

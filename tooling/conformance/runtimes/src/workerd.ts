/** Cloudflare's workerd, which runs the suite as the test of a worker. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWhole } from './bundle.js';
import { runChild } from './child.js';
import type { Report } from './report.js';

// Timers are for tests alone, and not for modules that load: the suite starts in the test.
const WORKER = `import { start } from './whole.mjs';
export default {
  async test() {
    console.log(JSON.stringify(await start()));
  },
};
`;

const writeConfig = (flags: readonly string[]): string => `
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (services = [(name = "suite", worker = .suite)]);

const suite :Workerd.Worker = (
  compatibilityDate = "2026-11-17",
  compatibilityFlags = ${JSON.stringify(flags)},
  modules = [
    (name = "worker.mjs", esModule = ${JSON.stringify(WORKER)}),
    (name = "whole.mjs", esModule = embed "whole.mjs"),
  ],
);
`;

/**
 * Runs a bundle in a worker.
 *
 * @param flags - Compatibility flags. Since 2026 a worker has a part of Node without any.
 */
export async function runWorkerd(
  program: string,
  bundle: string,
  flags: readonly string[] = [],
): Promise<Report> {
  const folder = path.dirname(await bundleWhole(bundle));
  const config = path.join(folder, `${['workerd', ...flags].join('-')}.capnp`);
  await writeFile(config, writeConfig(flags));
  return runChild(program, ['test', config]);
}

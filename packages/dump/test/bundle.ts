/** Bundles modules of the sources for threads and processes, which Node starts without the tests' loader. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { addStopPoints, bundleSources } from '../../../tooling/build/sources.mjs';

const { build } = createRequire(new URL('../../../tooling/checks/package.json', import.meta.url))(
  'esbuild',
) as { build(options: object): Promise<unknown> };

/**
 * Bundles a module with all that it imports.
 *
 * @param module - Its path within `src`.
 * @param outfile - The file to write.
 */
export async function bundle(module: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL(`../src/${module}`, import.meta.url))],
    outfile,
    plugins: [bundleSources(), addStopPoints],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
}

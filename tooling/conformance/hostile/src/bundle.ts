/** All codecs and the calls of them, as one script that runs in any realm. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleSources } from '../../../build/sources.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = path.join(here, '../../../..');

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, object | string>>;
}

/** The modules of all codecs by specifier, from the list of variants and the manifests of their packages. */
export function listCodecs(): readonly string[] {
  const specifiers = JSON.parse(readFileSync(path.join(root, 'packages/variants.json'), 'utf8'));
  return (specifiers as string[]).flatMap((specifier) => {
    const [, folder = ''] = specifier.split('/');
    const manifest: Manifest = JSON.parse(
      readFileSync(path.join(root, 'packages', folder, 'package.json'), 'utf8'),
    );
    const lite = `${specifier}/lite`;
    return `.${lite.slice(manifest.name.length)}` in manifest.exports
      ? [specifier, lite]
      : [specifier];
  });
}

/**
 * Bundles codecs and calls.
 *
 * @param specifiers - The codecs.
 * @returns A script that returns a function, which gives an object `codecs` and `calls`.
 */
export async function bundleCalls(specifiers: readonly string[]): Promise<string> {
  const imports = specifiers.map((name, i) => `import * as m${i} from ${JSON.stringify(name)};`);
  const codecs = specifiers.map((name, i) => `[${JSON.stringify(name)}, m${i}]`);
  const { outputFiles } = await build({
    stdin: {
      contents: `${imports.join('\n')}
        import { listCalls } from './calls.mjs';
        holder.codecs = [${codecs}];
        holder.calls = listCalls(holder.codecs);`,
      resolveDir: here,
    },
    bundle: true,
    format: 'iife',
    target: 'es2022',
    plugins: [bundleSources()],
    write: false,
    logLevel: 'warning',
  });
  return `(function (holder) {${outputFiles[0]?.text}\n})`;
}

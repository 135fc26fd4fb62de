/** The command as one file, with the file of its worker threads, and the licences of their content. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleSources } from '../../build/sources.mjs';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** CommonJS modules ask for Node's own. */
const require =
  "import { createRequire as createRequireHere } from 'node:module';\n" +
  'const require = createRequireHere(import.meta.url);';

/**
 * Bundles the command, from the sources of all packages.
 *
 * @returns {Promise<{ files: Map<string, Uint8Array>, licences: Map<string, Uint8Array> }>} `utf8.js` and
 *   `thread.js`; and the licence of every third-party package in them, by the package's name.
 */
export async function bundleProgram() {
  const { outputFiles, metafile } = await build({
    // Names of files get into the output.
    absWorkingDir: root,
    entryPoints: {
      utf8: 'packages/cli/src/main/utf8.ts',
      thread: 'packages/dump/src/thread.ts',
    },
    plugins: [bundleSources()],
    outdir: 'dist',
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    // Names are kept: programs distinguish errors by them, and bug reports contain them.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    banner: { js: require },
    logLevel: 'error',
  });
  const files = new Map(
    outputFiles.map(({ path: file, contents }) => [path.basename(file), contents]),
  );
  const inputs = Object.keys(metafile.inputs).map((file) => path.join(root, file));
  const packages = new Set(inputs.map(findPackage));
  packages.delete(undefined);
  const licences = new Map(
    Array.from(packages, (folder) => [nameOf(folder), readLicence(/** @type {string} */ (folder))]),
  );
  return { files, licences };
}

/**
 * The folder of the third-party package that a file belongs to.
 *
 * @param {string} file
 */
const findPackage = (file) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0];

/** @param {string | undefined} folder */
const nameOf = (folder = '') =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).name;

/** @param {string} folder */
function readLicence(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (!file) throw new Error(`${folder} has no licence`);
  return readFileSync(path.join(folder, file));
}

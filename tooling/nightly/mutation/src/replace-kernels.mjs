/** Replaces the WebAssembly that tests import. */
import path from 'node:path';

/**
 * Replaces the WebAssembly of kernels.
 *
 * @param {string} folder Each in a file of its own, as {@link nameKernel} names it; of those that are missing the
 *   module is as it was. Tests use the module that exists when they begin.
 * @returns {import('vite').Plugin}
 */
export function replaceKernels(folder) {
  return {
    name: 'kernels',
    enforce: 'pre',
    transform(code, module) {
      if (path.basename(module) !== 'wasm.ts') return undefined;
      const file = JSON.stringify(path.join(folder, nameKernel(module)));
      return `import { existsSync, readFileSync } from 'node:fs';
${code.replace('const wasm', 'const built')}
export const wasm = existsSync(${file}) ? readFileSync(${file}, 'utf8') : built;
`;
    },
  };
}

/** Returns the name of the file that replaces a module's WebAssembly. */
export const nameKernel = (module) =>
  `${module.split(path.sep).join('/').split('/packages/').at(-1).replaceAll('/', '-')}.hex`;

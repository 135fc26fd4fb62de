/** Compiles a kernel's plan to WebAssembly. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { writeEntry } from './entry.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const ENTRY = 'entry.ts';

/**
 * Compiles a plan.
 *
 * @param {import('@utf8/core/compile').KernelPlan} plan
 * @param {Readonly<Record<string, string>>} [others] Sources in place of files of this folder, by name.
 * @returns {Promise<Uint8Array>} The module; the same plan always gives the same bytes.
 */
export async function assemble(plan, others = {}) {
  const entry = writeEntry(plan);
  let binary;
  const { error, stderr } = await asc.main(
    [
      ENTRY,
      ...['--baseDir', here, '--outFile', 'kernel.wasm'],
      // No garbage collector and no allocator: memory.ts says where things lie.
      ...['--runtime', 'stub', '--memoryBase', '1024', '--initialMemory', '13'],
      ...['-O3', '--noAssert'],
      ...['--enable', 'simd', '--enable', 'bulk-memory', '--enable', 'nontrapping-f2i'],
      ...['--enable', 'sign-extension'],
    ],
    {
      readFile(file, folder) {
        const name = path.basename(file);
        if (name === ENTRY) return entry;
        if (Object.hasOwn(others, name)) return others[name];
        try {
          return readFileSync(path.resolve(folder, file), 'utf8');
        } catch {
          // The compiler asks for files that need not be there.
          return null;
        }
      },
      writeFile(file, content) {
        if (file.endsWith('.wasm')) binary = content;
      },
    },
  );
  if (error) throw new Error(`the kernel does not compile:\n${entry}\n${stderr}`, { cause: error });
  return binary;
}

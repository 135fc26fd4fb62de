/** Compiles a kernel's plan to WebAssembly. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import type { KernelPlan } from './kernel-plan.js';
import { writeEntry } from './write-entry.js';

const assembly = fileURLToPath(new URL('../assembly/', import.meta.url));
const ENTRY = 'entry.ts';

/**
 * Compiles a plan.
 *
 * @param others - Sources that replace files of `assembly/`, by name.
 * @returns The module; the same plan always gives the same bytes.
 */
export async function assemble(
  plan: KernelPlan,
  others: Readonly<Record<string, string>> = {},
): Promise<Uint8Array> {
  const entry = writeEntry(plan);
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    [
      ENTRY,
      ...['--baseDir', assembly, '--outFile', 'kernel.wasm'],
      // No garbage collector and no allocator: memory.ts defines the layout.
      ...['--runtime', 'stub', '--memoryBase', '1024', '--initialMemory', '13'],
      ...['-O3', '--noAssert'],
      ...['--enable', 'simd', '--enable', 'bulk-memory', '--enable', 'nontrapping-f2i'],
      ...['--enable', 'sign-extension'],
    ],
    {
      readFile(file: string, folder: string) {
        const name = path.basename(file);
        if (name === ENTRY) return entry;
        if (Object.hasOwn(others, name)) return others[name] as string;
        try {
          return readFileSync(path.resolve(folder, file), 'utf8');
        } catch {
          // The compiler asks for files that need not exist.
          return null;
        }
      },
      writeFile(file: string, content: string | Uint8Array) {
        if (file.endsWith('.wasm')) binary = content as Uint8Array;
      },
    },
  );
  if (error || !binary)
    throw new Error(`the kernel does not compile:\n${entry}\n${stderr}`, { cause: error });
  return binary;
}

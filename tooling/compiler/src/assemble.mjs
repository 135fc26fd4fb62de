// Compiles a kernel's entry to WebAssembly. No TypeScript, because `npm test` checks types without the
// compiler of AssemblyScript.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const assembly = fileURLToPath(new URL('../assembly/', import.meta.url));
const ENTRY = 'entry.ts';

/**
 * Compiles an entry together with the files of `assembly/`.
 *
 * @param {string} entry The source that `writeEntry` returns.
 * @param {Readonly<Record<string, string>>} others Sources that replace files of `assembly/`, by name.
 * @returns {Promise<Uint8Array>} The module; the same sources always give the same bytes.
 */
export async function assemble(entry, others = {}) {
  let binary;
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
      readFile(file, folder) {
        const name = path.basename(file);
        if (name === ENTRY) return entry;
        if (Object.hasOwn(others, name)) return others[name];
        try {
          return readFileSync(path.resolve(folder, file), 'utf8');
        } catch {
          // The compiler asks for files that need not exist.
          return null;
        }
      },
      writeFile(file, content) {
        if (file.endsWith('.wasm')) binary = content;
      },
    },
  );
  if (error || !binary)
    throw new Error(`the kernel does not compile:\n${entry}\n${stderr}`, { cause: error });
  return binary;
}

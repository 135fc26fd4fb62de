/** Compiles one codec to the files of its package. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { planKernel } from './kernel-plan.js';
import { writeEntry } from './write-entry.js';
import { writeLoops } from './write-loops.js';
import { HEADER, type Subject, writeKernel, writeModule, writePacked } from './write-module.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const biome = `${root}node_modules/@biomejs/biome/bin/biome`;

/** Files by name, with their texts. */
export type Files = ReadonlyMap<string, string>;

/**
 * Writes the modules of a codec, except its WebAssembly.
 *
 * @param grammar - Path of its grammar, from the modules.
 * @returns The files, not formatted.
 */
export function writeModules(subject: Subject, grammar: string): Files {
  const files = new Map([
    ['packed.ts', writePacked(subject)],
    ['index.ts', writeModule(subject, { grammar, isLite: false })],
  ]);
  if (!subject.specifier) return files;
  return files
    .set('lite.ts', writeModule(subject, { grammar, isLite: true }))
    .set('loops.ts', `${HEADER}\n${writeLoops(subject.grammar)}`)
    .set('kernel.ts', writeKernel(subject));
}

/** Compiles a codec, as {@link writeModules} does: formatted, and with its WebAssembly. */
export async function compileCodec(subject: Subject, grammar: string): Promise<Files> {
  const files = format(writeModules(subject, grammar));
  if (!subject.specifier) return files;
  // Loaded late: `npm test` runs without the compiler of AssemblyScript.
  const { assemble } = await import('./assemble.mjs');
  return new Map(files).set(
    'wasm.ts',
    writeWasm(await assemble(writeEntry(planKernel(subject.grammar))), HEADER),
  );
}

/** Writes a module in hexadecimal digits, which need no decoder that a platform may lack. */
export function writeWasm(wasm: Uint8Array, header: string): string {
  const digest = createHash('sha256').update(wasm).digest('hex');
  const digits = Buffer.from(wasm).toString('hex');
  return `${header}\n// SHA-256 of its bytes: ${digest}\nexport const wasm =\n  '${digits}';\n`;
}

/** Formats files, by any names, in one process. */
export function format(files: Files): Files {
  const end = '\n// end of file\n\n';
  const text = execFileSync(process.execPath, [biome, 'format', '--stdin-file-path=index.ts'], {
    input: [...files.values()].join(end),
    cwd: root,
    encoding: 'utf8',
    maxBuffer: Infinity,
  });
  const texts = text.split(end);
  return new Map(Array.from(files.keys(), (name, i) => [name, `${texts[i]?.trimEnd()}\n`]));
}

/** Compiles one codec to the files of its package. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import {
  HEADER,
  planKernel,
  writeKernel,
  writeLoops,
  writeModule,
  writePacked,
} from '@utf8/core/compile';

const biome = fileURLToPath(
  new URL('../../../node_modules/@biomejs/biome/bin/biome', import.meta.url),
);
const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Writes the modules of a codec, except its WebAssembly.
 *
 * @param {import('@utf8/core/compile').Subject} subject
 * @param {string} grammar Where its grammar is, from the modules.
 * @returns {Map<string, string>} The files by name, with their text, which is not formatted.
 */
export function writeModules(subject, grammar) {
  const files = new Map([['packed.ts', writePacked(subject)]]);
  files.set('index.ts', writeModule(subject, { grammar, isLite: !subject.specifier }));
  if (subject.specifier) {
    files.set('lite.ts', writeModule(subject, { grammar, isLite: true }));
    files.set('loops.ts', `${HEADER}\n${writeLoops(subject.grammar)}`);
    files.set('kernel.ts', writeKernel(subject));
  }
  return files;
}

/** Compiles a codec, as {@link writeModules} does: formatted, and with its WebAssembly. */
export async function compileCodec(subject, grammar) {
  const files = format(writeModules(subject, grammar));
  if (!subject.specifier) return files;
  // Tests that compile none need no compiler of it.
  const { assemble } = await import('../assembly/assemble.mjs');
  return files.set('wasm.ts', writeWasm(Buffer.from(await assemble(planKernel(subject.grammar)))));
}

/** The module in digits, which need no decoder that a platform may lack. */
function writeWasm(wasm) {
  const digest = createHash('sha256').update(wasm).digest('hex');
  return `${HEADER}\n// SHA-256 of its bytes: ${digest}\nexport const wasm =\n  '${wasm.toString('hex')}';\n`;
}

/** Formats files, by any names, in one process. */
export function format(files) {
  const end = '\n// end of file\n\n';
  const text = execFileSync(process.execPath, [biome, 'format', '--stdin-file-path=index.ts'], {
    input: [...files.values()].join(end),
    cwd: root,
    encoding: 'utf8',
    maxBuffer: Infinity,
  });
  const texts = text.split(end);
  return new Map(Array.from(files.keys(), (name, i) => [name, `${texts[i].trimEnd()}\n`]));
}

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
import { assemble } from '../assembly/assemble.mjs';

const biome = fileURLToPath(
  new URL('../../../node_modules/@biomejs/biome/bin/biome', import.meta.url),
);
const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Compiles a codec.
 *
 * @param {import('@utf8/core/compile').Subject} subject
 * @param {string} grammar Where its grammar is, from the modules.
 * @returns {Promise<Map<string, string>>} The files by name, with their text.
 */
export async function compileCodec(subject, grammar) {
  const files = new Map([['packed.ts', writePacked(subject)]]);
  if (subject.specifier) {
    const wasm = Buffer.from(await assemble(planKernel(subject.grammar)));
    files.set('index.ts', writeModule(subject, { grammar, isLite: false }));
    files.set('lite.ts', writeModule(subject, { grammar, isLite: true }));
    files.set('loops.ts', `${HEADER}\n${writeLoops(subject.grammar)}`);
    files.set('kernel.ts', writeKernel(subject));
    files.set('wasm.ts', writeWasm(wasm));
  } else {
    files.set('index.ts', writeModule(subject, { grammar, isLite: true }));
  }
  for (const [name, text] of files) if (name !== 'wasm.ts') files.set(name, format(text));
  return files;
}

/** The module in digits, which need no decoder that a platform may lack. */
function writeWasm(wasm) {
  const digest = createHash('sha256').update(wasm).digest('hex');
  return `${HEADER}\n// SHA-256 of its bytes: ${digest}\nexport const wasm =\n  '${wasm.toString('hex')}';\n`;
}

function format(text) {
  return execFileSync(process.execPath, [biome, 'format', '--stdin-file-path=index.ts'], {
    input: text,
    cwd: root,
    encoding: 'utf8',
  });
}

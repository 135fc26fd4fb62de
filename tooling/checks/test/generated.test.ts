/** What is generated is what would be generated now: modules, kernels, WebAssembly and lists of the codecs. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { compileGrammar, compileList, listGrammars } from '../../build/codecs/files.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

it.each(
  Array.from(
    listGrammars(),
    (folder) => [path.relative(root, path.join(folder.source, folder.profile)), folder] as const,
  ),
)('what is compiled of %s', async (_name, folder) => {
  for (const [file, text] of await compileGrammar(folder)) {
    expect(readFileSync(file, 'utf8'), file).toBe(text);
  }
});

it('the list of codecs', () => {
  const [file, text] = compileList();
  expect(readFileSync(file, 'utf8'), file).toBe(text);
});

/** Checks that generated files are up to date: modules, kernels, WebAssembly and lists of the codecs. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { format, writeModules } from '../../compiler/src/compile.js';
import {
  compileGrammar,
  compileList,
  compileTuples,
  listGrammars,
} from '../../compiler/src/files.js';
import { writeVariants } from '../../compiler/src/variants.js';
import { root } from '../src/packages.js';

const grammars = [...listGrammars()].map(
  (folder) => [path.relative(root, path.join(folder.source, folder.profile)), folder] as const,
);

const modules = new Map<string, string>();
for (const [, folder] of grammars) {
  for (const [file, text] of await compileGrammar(folder, writeModules)) modules.set(file, text);
}

it.each(Array.from(format(modules), ([file, text]) => [path.relative(root, file), text]))(
  '%s is what is compiled of its grammar',
  (file, text) => expect(readFileSync(path.join(root, file), 'utf8')).toBe(text),
);

it.each(grammars)(
  'WebAssembly of %s is what is compiled of it',
  {
    tags: ['slow'],
  },
  async (_, folder) => {
    for (const [file, text] of await compileGrammar(folder)) {
      expect(readFileSync(file, 'utf8'), file).toBe(text);
    }
  },
);

it('WebAssembly that passes tuples is what is compiled of it', { tags: ['slow'] }, async () => {
  const [file, text] = await compileTuples();
  expect(readFileSync(file, 'utf8')).toBe(text);
});

it('lists of codecs are what is written from the list of variants', async () => {
  for (const [file, text] of [compileList(), ...(await writeVariants())]) {
    expect(readFileSync(file, 'utf8'), file).toBe(text);
  }
});

/**
 * Adding a variant is a grammar and nothing else: utf8mb3's, under another name, is compiled to modules
 * that pass the whole suite, kernel included.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Codec } from '@utf8/core';
import { build } from 'esbuild';
import { compileCodec } from '../../build/codecs/compile.mjs';
import { readGrammar } from '../../build/codecs/grammar.mjs';
import { testCodec, testKernels } from '../../conformance/src/index.js';

const here = fileURLToPath(new URL('../../build/codecs', import.meta.url));
// Where imports find the packages that modules of a variant import, the same as the suite's.
const folder = path.join(here, 'dist/another-variant');
const original = path.join(here, '../../packages/strict/src/mb3/grammar.ts');

mkdirSync(path.join(folder, 'generated'), { recursive: true });
const grammar = path.join(folder, 'grammar.ts');
writeFileSync(
  grammar,
  readFileSync(original, 'utf8').replace("name = 'UTF-8 (mb3)'", "name = 'Another'"),
);
const subject = { ...(await readGrammar(grammar)), specifier: '@utf8/another' };
for (const [file, text] of await compileCodec(subject, '../grammar.js')) {
  writeFileSync(path.join(folder, 'generated', file), text);
}

async function load(file: string): Promise<Codec> {
  const outfile = path.join(folder, `${file}.mjs`);
  await build({
    entryPoints: [path.join(folder, 'generated', `${file}.ts`)],
    outfile,
    bundle: true,
    format: 'esm',
    external: ['@utf8/*'],
  });
  return import(pathToFileURL(outfile).href);
}

const full = await load('index');
testCodec('another variant', full, { leads: 32 });
testCodec('another variant/lite', await load('lite'), { leads: 32 });
testKernels('another variant', full);

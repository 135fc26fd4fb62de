/**
 * Adding a variant is a grammar and nothing else: utf8mb3's, under another name, is compiled to modules that pass the
 * whole suite. By day, without a kernel, since that needs the compiler of AssemblyScript.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Codec } from '@utf8/core';
import { describe } from 'vitest';
import { compileCodec, writeModules } from '../../compiler/src/compile.js';
import { readGrammar } from '../../compiler/src/read-grammar.js';
import { testCodec, testKernels } from '../../conformance/src/index.js';
import { tier } from '../../tiers/tier.js';
import { root } from '../src/packages.js';

const folder = fileURLToPath(new URL('../dist/another-variant', import.meta.url));
const original = path.join(root, 'packages/strict/src/mb3/grammar.ts');

mkdirSync(path.join(folder, 'generated'), { recursive: true });
const grammar = path.join(folder, 'grammar.ts');
writeFileSync(
  grammar,
  readFileSync(original, 'utf8').replace("name = 'UTF-8 (mb3)'", "name = 'Another'"),
);
const subject = { ...(await readGrammar(grammar)), specifier: '@utf8/another' };
const compile = tier === 'test' ? writeModules : compileCodec;
for (const [file, text] of await compile(subject, '../grammar.js')) {
  writeFileSync(path.join(folder, 'generated', file), text);
}
const load = (file: string): Promise<Codec> =>
  import(/* @vite-ignore */ path.join(folder, 'generated', `${file}.ts`));

testCodec('another variant/lite', await load('lite'), { isSampled: true });
if (tier !== 'test') {
  const full = await load('index');
  describe('with a kernel', { tags: ['slow'] }, () => {
    testCodec('another variant', full, { isSampled: true });
    testKernels('another variant', full);
  });
}

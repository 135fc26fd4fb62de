/** Real nbtify, which imports mutf-8, with another module of that name. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { bundleSources } from '../../../tooling/build/sources.mjs';
import { readHex } from '../../../tooling/oracles/interop/src/hex.js';
import { file, texts, writeCompound } from './nbt.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = fileURLToPath(new URL('nbtify.mjs', import.meta.url));

// Below this package, so that what is there imports what it depends on, and the package itself, as nothing below
// node_modules can.
const cache = path.join(root, '.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(path.join(cache, 'nbtify-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The names in a file, and the file as nbtify writes it again. */
interface Result {
  readonly names: readonly string[];
  readonly written: string;
}

function rewrite(input: Buffer, ...command: readonly string[]): Result {
  const output = execFileSync(process.execPath, command, { input, cwd: root, encoding: 'utf8' });
  const [names = '', written = ''] = output.split('\n');
  return { names: JSON.parse(names), written };
}

const hook = path.join(folder, 'mutf-8.mjs');
const guide = readFileSync(
  fileURLToPath(new URL('../../../apps/site/pages/guide/moving.md', import.meta.url)),
  'utf8',
);
writeFileSync(hook, /```js\n(\/\/ mutf-8\.mjs\n[\s\S]*?)```/.exec(guide)?.[1] as string);

async function bundle(outfile: string, alias: Record<string, string>): Promise<string> {
  await build({
    entryPoints: [program],
    outfile: path.join(folder, outfile),
    absWorkingDir: root,
    alias,
    plugins: [bundleSources()],
    bundle: true,
    format: 'esm',
    platform: 'node',
    // It says that it leaves out modules without effects, as it would not below node_modules.
    logLevel: 'error',
  });
  return path.join(folder, outfile);
}

const raw = writeCompound([[readHex('41 00'), readHex('78 00 79')]]);

const names = [texts[0], ...texts, 'list', 'compound'];
/** Names and strings without U+FEFF at their start. */
const withoutBom = names.map((name) => name?.replace(/^\ufeff/, ''));

describe('nbtify as it is', () => {
  it('loses U+FEFF at the start of names and strings', () => {
    const result = rewrite(file, program);
    expect(result.names).toEqual(withoutBom);
    expect(result.written).not.toBe(file.toString('hex'));
    expect(result.written.length).toBeLessThan(2 * file.length);
  });

  it('replaces a raw 00, which Java reads', () => {
    const result = rewrite(raw, program);
    expect(result.names).toEqual(['', 'A\ufffd']);
  });
});

describe.each([
  // It imports the built package.
  {
    how: 'the hook of the guide',
    prepare: async () => ['--import', hook, program],
    tags: ['slow'],
  },
  {
    how: 'an alias of the bundler',
    prepare: async () => [await bundle('aliased.mjs', { 'mutf-8': '@utf8/mutf8/compat' })],
    tags: [],
  },
])('nbtify with $how', ({ prepare, tags }) => {
  it('reads a file of Java, and writes it byte for byte', { tags }, async () => {
    const result = rewrite(file, ...(await prepare()));
    expect(result.names).toEqual(names);
    expect(result.written).toBe(file.toString('hex'));
  });

  it('reads a raw 00 as Java does, and writes as Java writes', { tags }, async () => {
    const result = rewrite(raw, ...(await prepare()));
    expect(result.names).toEqual(['', 'A\0']);
    expect(result.written).toBe(
      writeCompound([[readHex('41 C0 80'), readHex('78 C0 80 79')]]).toString('hex'),
    );
  });
});

it('a bundle without the alias behaves as nbtify does', async () => {
  expect(rewrite(file, await bundle('plain.mjs', {})).names).toEqual(withoutBom);
});

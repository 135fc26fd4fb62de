/** Runs every command line on the pages of the guide, and compares its output with the page. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const pages = fileURLToPath(new URL('../pages/', import.meta.url));
const program = fileURLToPath(new URL('../../../packages/cli/dist/utf8.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'utf8-site-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Files that the pages name: a dump with an emoji in CESU-8, and a class with a string that UTF-8 encodes
 * differently.
 */
const emoji = Buffer.from('eda0bdedb880', 'hex');
const files: Readonly<Record<string, Buffer>> = {
  'dump.csv': Buffer.concat([Buffer.from('id,name\n1,'), emoji, Buffer.from('\n')]),
  'schema.sql': Buffer.from('CREATE TABLE public.t (id integer, name text);\n'),
  'dump.sql': Buffer.concat([
    Buffer.from('--\n-- PostgreSQL database dump\n--\n\nCOPY public.t (id, name) FROM stdin;\n1\t'),
    emoji,
    Buffer.from('\n\\.\n'),
  ]),
  'app.jar': Buffer.from('yv66vgAAAD0ABQEAAUEHAAEBAAdIacCA7aC9CAADACAAAgAAAAAAAAAAAAA=', 'base64'),
  // One symbol, and one tag.
  'heap.hprof': Buffer.concat([
    Buffer.from('JAVA PROFILE 1.0.2\0'),
    Buffer.from(`00000008${'00'.repeat(8)}010000000000000009${'00'.repeat(7)}0178`, 'hex'),
  ]),
  'level.dat': Buffer.from('0A00000800016100017800', 'hex'),
};

/** Exit status of a command, if it is not 0: it found what it searched for. */
const exitCodes: Readonly<Record<string, number>> = {
  'utf8 check dump.csv': 1,
  'utf8 scan dump.sql --format pg_dump --schema schema.sql': 1,
};

const commands = ['index', 'guide/first-steps', 'guide/which-variant', 'class-files'].flatMap(
  (page) => {
    const text = readFileSync(path.join(pages, `${page}.md`), 'utf8');
    return Array.from(text.matchAll(/^```sh\n(.*?)^```/gms), ([, block = '']) => block)
      .flatMap((block) => block.split('\n'))
      .map((line) => line.replace(/^npx @utf8\/cli /, 'utf8 '))
      .filter((line) => line.startsWith('utf8 '))
      .map((line) => [page, line] as const);
  },
);

/** Output of commands in the pages: a block of text right after the command. */
const outputs = ['guide/first-steps'].flatMap((page) =>
  Array.from(
    readFileSync(path.join(pages, `${page}.md`), 'utf8').matchAll(
      /^```sh\n(utf8 [^\n]*)\n```\n\n```text\n(.*?)^```/gms,
    ),
    ([, line = '', output = '']) => [line, output] as const,
  ),
);

describe('CommonJS', () => {
  it('runs as the page about runtimes says', () => {
    const text = readFileSync(path.join(pages, 'guide/runtimes.md'), 'utf8');
    const [, code = ''] = /^```js\n(.*?)^```/ms.exec(text) ?? [];
    const script = code.replace(
      /^(.*); \/\/ => (.*)$/gm,
      'console.log(require("node:util").isDeepStrictEqual($1, $2));',
    );
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=commonjs', '-e', script],
      {
        cwd: fileURLToPath(new URL('..', import.meta.url)),
        encoding: 'utf8',
      },
    );
    expect(stdout, stderr).toBe('true\n');
  });
});

describe('command lines', () => {
  it('are found', () => {
    expect(commands.length).toBeGreaterThan(9);
    expect(outputs.length).toBe(2);
  });

  it.each(commands)('of %s: %s', (_, line) => {
    for (const [name, bytes] of Object.entries(files))
      writeFileSync(path.join(folder, name), bytes);
    rmSync(path.join(folder, 'fixed.csv'), { force: true });
    const shell = line.replace(/^utf8/, `'${process.execPath}' '${program}'`);
    const { status, stdout, stderr } = spawnSync('sh', ['-c', shell], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(status, stdout + stderr).toBe(exitCodes[line] ?? 0);
    const [, output] = outputs.find(([each]) => each === line) ?? [];
    if (output !== undefined) expect(stdout).toBe(output);
    if (line.includes('-o fixed.csv')) {
      expect(readFileSync(path.join(folder, 'fixed.csv'), 'utf8')).toBe('id,name\n1,😀\n');
    }
  });
});

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
  'notes.csv': Buffer.from('id,note\n1,cafÃ© crÃ¨me ðŸ˜€\n'),
  'cut.csv': Buffer.concat([Buffer.from('id,name\n1,'), emoji.subarray(0, 3), Buffer.from('\n')]),
  'nul.csv': Buffer.from('id,name\n1,a\0b\n'),
  'java.csv': Buffer.from('id,name\n1,\xc0\x80\n', 'latin1'),
  'latin1.csv': Buffer.from('id,name\n1,Käse\n', 'latin1'),
};

/** Exit status of a command, if it is not 0: it found what it searched for. */
const exitCodes: Readonly<Record<string, number>> = {
  'utf8 check dump.csv': 1,
  'utf8 scan dump.sql --format pg_dump --schema schema.sql': 1,
  'utf8 scan dump.sql --format pg_dump --schema schema.sql --report findings.jsonl': 1,
};

/** Results of conversions, as text in UTF-8. */
const results: Readonly<Record<string, string>> = {
  'fixed.csv': 'id,name\n1,😀\n',
  'repaired.csv': 'id,note\n1,café crème 😀\n',
  'whole.csv': 'id,name\n1,\ufffd\n',
  'clean.csv': 'id,name\n1,ab\n',
  'java.utf-8.csv': 'id,name\n1,\0\n',
  'latin1.utf-8.csv': 'id,name\n1,Käse\n',
  'ok.csv': 'id,name\n1,😀\n',
};

const pagesWithCommands = [
  'index',
  'symptoms',
  'minecraft',
  'large-dumps',
  'guide/first-steps',
  'guide/which-variant',
  'class-files',
];

const found = pagesWithCommands.flatMap((page) => {
  const text = readFileSync(path.join(pages, `${page}.md`), 'utf8');
  return Array.from(text.matchAll(/^ *```sh\n(.*?)^ *```/gms), ([, block = '']) => block)
    .flatMap((block) => block.split('\n'))
    .map((line) => line.trim().replace(/^npx @utf8\/cli /, 'utf8 '))
    .filter((line) => line.startsWith('utf8 '))
    .map((line) => [line, page] as const);
});

/** Each line once, with the last page that shows it. */
const commands = [...new Map(found)];

/** Output of commands in the pages: a block of text right after the command. */
const outputs = ['guide/first-steps'].flatMap((page) =>
  Array.from(
    readFileSync(path.join(pages, `${page}.md`), 'utf8').matchAll(
      /^```sh\n(utf8 [^\n]*)\n```\n\n```text\n(.*?)^```/gms,
    ),
    ([, line = '', output = '']) => [line, output] as const,
  ),
);

it('the first page says of the six bytes what the recorded answers say', () => {
  const page = (name: string): string => readFileSync(path.join(pages, `${name}.md`), 'utf8');
  const cells = (line = ''): string[] =>
    line.split(' | ').map((cell) => cell.replace(/[|*]/g, '').trim());
  const attacks = page('attacks').split('\n');
  const [, ...readers] = cells(attacks.find((line) => line.startsWith('| attack')));
  const [, ...answers] = cells(attacks.find((line) => line.startsWith('| Surrogate pair in six')));
  const words: Readonly<Record<string, string>> = {
    '�×6': '`������`, six U+FFFD',
    '�×2': '`��`, two U+FFFD',
    'U+1F600': '😀',
    refused: 'an error',
    nothing: 'nothing: the text disappears',
  };
  const names: Readonly<Record<string, string>> = { uconv: 'ICU', iconv: 'glibc iconv' };
  const rows = new Map(
    Array.from(page('index').matchAll(/^\| (?!reader|---)(.*) \| (.*) \|$/gm), ([, list, result]) =>
      list!.split(', ').map((reader) => [reader, result] as const),
    ).flat(),
  );
  for (const [i, reader] of readers.entries()) {
    const answer = answers[i]?.replaceAll('`', '') ?? '';
    expect(rows.get(names[reader] ?? reader), reader).toBe(words[answer]);
  }
});

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
    expect(found.length).toBeGreaterThan(22);
    expect(outputs.length).toBe(2);
  });

  it.each(commands)('%s, on the page %s', (line) => {
    for (const [name, bytes] of Object.entries(files))
      writeFileSync(path.join(folder, name), bytes);
    // A run refuses to replace the undo log of another one.
    for (const name of Object.keys(results)) rmSync(path.join(folder, name), { force: true });
    rmSync(path.join(folder, 'undo.jsonl'), { force: true });
    const shell = line.replace(/^utf8/, `'${process.execPath}' '${program}'`);
    const { status, stdout, stderr } = spawnSync('sh', ['-c', shell], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(status, stdout + stderr).toBe(exitCodes[line] ?? 0);
    const [, output] = outputs.find(([each]) => each === line) ?? [];
    if (output !== undefined) expect(stdout).toBe(output);
    const [, result = ''] = /-o (\S+\.csv)/.exec(line) ?? [];
    if (result) expect(readFileSync(path.join(folder, result), 'utf8')).toBe(results[result]);
  });
});

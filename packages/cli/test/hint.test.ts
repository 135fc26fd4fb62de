/** Hints about malformed input: advice that loses nothing comes first. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { advise } from '../src/words/hint.js';
import { hex, sample, useFolder, utf8 } from './command.js';

const path = useFolder();

/** Link that follows the hints about malformed bytes. */
const SEE = /^See https:\S+\/guide\/errors#[a-z-]+$/;

/** The hints about some bytes, in a file, without the link. */
async function hint(bytes: Uint8Array | string, ...args: string[]): Promise<string[]> {
  writeFileSync(path('in'), bytes);
  const { status, stderr } = await utf8(['convert', path('in'), ...args]);
  expect(status).toBe(1);
  const lines = stderr.replaceAll(path('in'), 'in').trimEnd().split('\n').slice(1);
  return lines.filter((line) => !SEE.test(line));
}

const last = (from: string): string =>
  `utf8: in: malformed ${from}; find its encoding with utf8 detect in, list all malformed bytes with utf8 check --from ${from} in, or repair them with --errors`;

describe('the shipped sample', () => {
  it.each([
    ['utf-8', []],
    ['cesu-8', []],
    ['cesu-8', ['--format', 'csv']],
    ['mutf-8', ['--format', 'lines']],
  ])('as %s %j is answered with the mixed encoding, which works', async (from, args) => {
    const { status, stderr } = await utf8(['convert', '-f', from, ...args, sample]);
    expect(status).toBe(1);
    expect(stderr.split('\n').slice(1)).toEqual([
      `utf8: ${sample}: malformed ${from}, but well-formed cesu-8+utf-8; use --from cesu-8+utf-8`,
      expect.stringMatching(SEE),
      '',
    ]);
    const again = await utf8(['convert', ...args, sample, '--from', 'cesu-8+utf-8']);
    expect([again.status, again.stderr]).toEqual([0, '']);
  });

  it('is converted by the first line of the README that converts', async () => {
    const readme = readFileSync(fileURLToPath(new URL('../README.md', import.meta.url)), 'utf8');
    const [, args = ''] = /^utf8 convert ((?:(?! #).)*)/m.exec(readme) ?? [];
    expect(args).toContain('customers.csv');
    const words = args.trim().split(/ +/);
    const named = words.map(
      (word) => ({ 'customers.csv': sample, 'fixed.csv': path('fixed') })[word] ?? word,
    );
    expect(await utf8(['convert', ...named])).toMatchObject({ status: 0, stderr: '' });
    expect((await utf8(['check', path('fixed')])).status).toBe(0);
  });
});

describe('a hint', () => {
  it('names the encoding that the file has', async () => {
    const pair = hex('ED A0 BD ED B8 80');
    expect(await hint(pair, '-f', 'utf-8')).toEqual([
      'utf8: in: malformed utf-8, but well-formed cesu-8; use --from cesu-8',
    ]);
    expect(await hint('😀', '-f', 'cesu-8')).toEqual([
      'utf8: in: malformed cesu-8, but well-formed utf-8; use --from utf-8',
    ]);
    expect(await hint(hex('41 C0 80'), '-f', 'utf-8')).toEqual([
      'utf8: in: malformed utf-8, but well-formed mutf-8; use --from mutf-8',
    ]);
    expect(await hint(gzipSync(pair), '-f', 'utf-8')).toEqual([
      'utf8: in: malformed utf-8, but well-formed cesu-8; use --from cesu-8',
    ]);
  });

  it('names none whose characters the target lacks', async () => {
    expect(await hint(hex('ED A0 BD'), '-f', 'utf-8')).toEqual([last('utf-8')]);
    expect(await hint(hex('ED A0 BD'), '-f', 'utf-8', '-t', 'mutf-8')).toEqual([
      'utf8: in: malformed utf-8, but well-formed cesu-8-lenient; use --from cesu-8-lenient',
    ]);
    expect(await hint(hex('F8 88 80 80 80'), '-f', 'utf-8')).toEqual([last('utf-8')]);
  });

  it('mentions --errors last, and only if no encoding fits', async () => {
    expect(await hint(hex('FF'), '-f', 'cesu-8')).toEqual([last('cesu-8')]);
  });

  it.each([
    ['has not seen names no encoding', 1, last('utf-8')],
    [
      'has seen says how much of the file it has read',
      0,
      'utf8: in: malformed utf-8, but in its first 1 MiB, well-formed cesu-8; use --from cesu-8',
    ],
  ])('for a fault that it %s', async (_, extra, sentence) => {
    const bytes = Buffer.alloc((1 << 20) + 3, 'text ');
    const offset = (1 << 20) * extra;
    hex('ED A0 BD').copy(bytes, offset);
    hex('ED A0 BD ED B8 80').copy(bytes);
    const file = path('in');
    writeFileSync(file, bytes);
    const refusal = {
      file,
      offset,
      line: 1,
      column: 1,
      length: 1,
      reason: 'surrogate',
      bytes: 'ED',
    } as const;
    const attempt = { from: 'utf-8', to: 'utf-8', format: undefined } as const;
    const lines = await advise({ ...refusal, isTargetAtFault: false }, attempt, 1 << 20);
    expect(lines.map((line) => `utf8: ${line}`.replaceAll(file, 'in'))).toEqual([sentence]);
  });

  it('names the format of records that it knows', async () => {
    const records = Buffer.concat([Buffer.from('{"a":1}\n'), hex('FF')]);
    const [first, ...others] = await hint(records, '-f', 'utf-8');
    expect(first).toBe('utf8: in: looks like jsonl; convert its records with --format jsonl');
    expect(others).toEqual([last('utf-8')]);
  });

  it('for a record sets it aside first, and repairs it without loss', async () => {
    const rest = (repair: string): string[] => [
      `utf8: in: add --rejects FILE to set such records aside, list all with utf8 scan --format lines in, or repair them with ${repair}`,
    ];
    const args = ['-f', 'cesu-8+utf-8', '--format', 'lines'];
    expect(await hint(hex('ED A0 BD'), ...args)).toEqual(rest('--unpaired-surrogates escape'));
    expect(await hint(hex('00'), ...args)).toEqual(rest('--nul replace --undo FILE'));
    expect(await hint(hex('FF'), ...args)).toEqual(rest('--errors windows-1252 --undo FILE'));
    const header = await hint(
      Buffer.from('na\xffme\n1\n', 'latin1'),
      '-f',
      'utf-8',
      '--format',
      'csv',
    );
    expect(header).toEqual([
      'utf8: in: text outside of records cannot be rejected; repair it with --errors windows-1252 --undo FILE',
    ]);
  });

  it('is not part of the JSON', async () => {
    const { stderr } = await utf8(['convert', '-f', 'utf-8', '--json'], hex('FF'));
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

it('a scan that could read nothing does not say that nothing was found', async () => {
  const { status, stdout, stderr } = await utf8(['scan', '--format', 'csv', path('none')]);
  expect([status, stdout.toString()]).toEqual([
    3,
    'Incomplete: 1 file could not be read to the end\n',
  ]);
  expect(stderr).toBe(`utf8: ${path('none')}: no such file; check the name\n`);
});

describe('a byte that is not a character in the declared encoding', () => {
  it.each([
    [
      'mysqldump',
      'SET NAMES cp1251;\nCREATE TABLE t (a text) CHARSET=cp1251;\nINSERT INTO t VALUES ("\x98");\n',
      1,
      'cp1251, in which 98',
    ],
    [
      'pg_dump',
      "SET client_encoding = 'WIN1252';\nCREATE TABLE t (a text);\nCOPY t (a) FROM stdin;\n\x81\n\\.\n",
      1,
      'win1252, in which 81',
    ],
  ])('of %s is set aside rather than decoded as another', async (format, dump, line, declared) => {
    const answer = `utf8: in:${line}: declares ${declared} is not a character; add --rejects FILE to set such records aside`;
    const args = ['-f', 'cesu-8+utf-8', '--format', format];
    const bytes = Buffer.from(dump, 'latin1');
    expect(await hint(bytes, ...args)).toEqual([answer]);
    expect(await hint(bytes, ...args, '--fix-header')).toEqual([answer]);
  });
});

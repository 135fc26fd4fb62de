import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { formatNames } from '@utf8/dump';
import { describe, expect, it } from 'vitest';
import { createDump, formatArgs } from '../../dump/test/random-dump.js';
import { runBuilt } from './built.js';
import { hex, plainEnv, useFolder, utf8 } from './command.js';

const path = useFolder();

const SEED = 20260403;

/** Converts a file with `--undo`. */
async function convert(dump: Buffer, format: string, ...more: string[]): Promise<void> {
  writeFileSync(path('original'), dump);
  const files = ['-o', path('converted'), '--undo', path('undo'), '--rejects', path('rejects')];
  const args = ['convert', '--from', 'cesu-8+utf-8', ...formatArgs(format), path('original')];
  const { status } = await utf8([...args, ...files, ...more]);
  // Records may be rejected.
  expect([0, 1]).toContain(status);
}

const revert = (...more: string[]) =>
  utf8(['revert', path('converted'), '--undo', path('undo'), ...more]);

describe('revert restores every byte', () => {
  it.each(formatNames)('of %s, rejected records included', async (format) => {
    const dump = createDump(format, SEED, 800, { pairs: 3, broken: 6 });
    await convert(dump, format);
    expect(readFileSync(path('rejects')).length).toBeGreaterThan(1000);
    const { status, stdout, stderr } = await revert();
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.equals(dump)).toBe(true);
  });

  it('from several threads, with what replaced and removed', async () => {
    const dump = createDump('csv', SEED + 1, 5000, { pairs: 30, broken: 60 });
    const policies = ['--unpaired-surrogates', 'escape', '--errors', 'remove', '--nul', 'remove'];
    await convert(dump, 'csv', ...policies, '--jobs', '2');
    expect((await revert('-o', path('back'))).status).toBe(0);
    expect(readFileSync(path('back')).equals(dump)).toBe(true);
    expect((await revert('-o', path('converted'))).status).toBe(2);
  });

  it('of a range, from stdin', async () => {
    const dump = createDump('copy', SEED + 2, 500);
    await convert(dump, 'copy', '--range', '1000-9000');
    const args = ['revert', '--undo', path('undo'), '-o', path('back')];
    expect((await utf8(args, readFileSync(path('converted')))).status).toBe(0);
    const start = dump.indexOf('\n', 999) + 1;
    const end = dump.indexOf('\n', 8999) + 1;
    expect(readFileSync(path('back')).equals(dump.subarray(start, end))).toBe(true);
  });

  it('of nothing, and of a record that is longer than a line of the undo file', async () => {
    for (const dump of [hex(''), Buffer.concat([Buffer.alloc(300_000, 'x'), hex('ED A0 BD 0A')])]) {
      await convert(dump, 'lines');
      const { stdout, status } = await revert();
      expect([status, stdout.equals(dump)]).toEqual([0, true]);
    }
  });
});

describe('revert refuses', () => {
  const dump = createDump('lines', SEED + 3, 100);
  const others = Buffer.alloc(dump.length * 3, 'other\n');
  const undoOf = () => readFileSync(path('undo'), 'latin1').split('\n');
  const replaceLine = (number: number, text: string): string =>
    undoOf()
      .map((line, i) => (i === number ? text : line))
      .join('\n');

  it.each<[string, () => void, () => string]>([
    [
      'a file of another size',
      () => writeFileSync(path('converted'), 'other'),
      () => {
        const { output } = JSON.parse(undoOf().at(-2) ?? '');
        return `${path('undo')}: belongs to a file of ${output.size} bytes, not 5; specify the output of that run, unchanged`;
      },
    ],
    [
      'a file of the same size',
      () => {
        const { length } = readFileSync(path('converted'));
        writeFileSync(path('converted'), others.subarray(0, length));
      },
      () =>
        `${path('converted')}: is not the file that ${path('undo')} belongs to, or has changed; specify the output of that run, unchanged`,
    ],
    [
      'an undo file without its end',
      () => writeFileSync(path('undo'), `${undoOf().slice(0, -2).join('\n')}\n`),
      () =>
        `${path('undo')}: is incomplete: its run was interrupted; finish that run with --resume, or copy the whole file again`,
    ],
    [
      'an undo file that is cut within a line',
      () => writeFileSync(path('undo'), undoOf().join('\n').slice(0, -20)),
      () =>
        `${path('undo')}: is incomplete: its run was interrupted; finish that run with --resume, or copy the whole file again`,
    ],
    [
      'an undo file with a line that is none',
      () => writeFileSync(path('undo'), replaceLine(2, '{"at":-1}')),
      () => `${path('undo')}:3: is damaged; copy the file again`,
    ],
    [
      'an undo file with another byte in it',
      () => {
        const lines = undoOf();
        const at = lines.findIndex((line, i) => i > 0 && line.includes('"bytes":"ed'));
        writeFileSync(path('undo'), replaceLine(at, (lines[at] ?? '').replace('"ed', '"ee')));
      },
      () => `${path('undo')}: is damaged and does not restore the original; copy it again`,
    ],
    [
      'a file that is no undo file',
      () => writeFileSync(path('undo'), others),
      () => `${path('undo')}: is not an undo log; specify the file that --undo wrote`,
    ],
    [
      'an empty one',
      () => writeFileSync(path('undo'), ''),
      () => `${path('undo')}: is not an undo log; specify the file that --undo wrote`,
    ],
  ])('%s', async (_, damage, sentence) => {
    await convert(dump, 'lines');
    damage();
    writeFileSync(path('back'), 'before');
    const { status, stderr } = await revert('-o', path('back'));
    expect([status, stderr]).toEqual([3, `utf8: ${sentence()}\n`]);
    expect(readFileSync(path('back'), 'utf8')).toBe('before');
    expect(readdirSync(path('.')).filter((name) => name.includes('unfinished'))).toEqual([]);
  });

  it('stdin for both, and no undo file at all', async () => {
    const both = await utf8(['revert', '--undo', '-']);
    expect([both.status, both.stderr]).toEqual([
      2,
      'utf8: stdin can be read only once; use a file for one of the two\n',
    ]);
    const none = await utf8(['revert']);
    expect([none.status, none.stderr]).toEqual([
      2,
      'utf8: missing option --undo FILE; see utf8 revert --help\n',
    ]);
  });
});

it('64 MiB convert and revert in constant memory', { tags: ['slow'] }, async () => {
  const plain = Buffer.from('1001,Grün, 한국,text\n'.repeat(20));
  const line = Buffer.concat([plain, hex('ED A0BD ED B880 0A')]);
  writeFileSync(path('original'), Buffer.alloc(64 << 20, line));
  writeFileSync(
    path('report.cjs'),
    `process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS * 1024)));`,
  );
  const env = plainEnv({ NODE_OPTIONS: `--require=${path('report.cjs')}` });
  const convert = ['convert', '--from', 'cesu-8', '--format', 'lines', path('original')];
  const files = ['-o', path('converted'), '--undo', path('undo')];
  const revert = ['revert', path('converted'), '--undo', path('undo'), '-o', path('back')];
  for (const args of [[...convert, ...files], revert]) {
    const { status, stderr } = await runBuilt(args, '', { env });
    expect(status).toBe(0);
    const peak = Number(/\d+$/.exec(stderr)?.[0]);
    expect(peak).toBeGreaterThan(1e6);
    expect(peak).toBeLessThan(200e6);
  }
  expect(readFileSync(path('back')).equals(readFileSync(path('original')))).toBe(true);
});

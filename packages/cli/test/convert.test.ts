import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { finish, start } from './built.js';
import { hex, useFolder, utf8 } from './command.js';

const path = useFolder();

const GRIN = { cesu8: hex('ED A0 BD ED B8 80'), utf8: hex('F0 9F 98 80') };

describe('convert', () => {
  it.each([
    ['a pair to four bytes', 'cesu-8', 'utf-8', GRIN.cesu8, GRIN.utf8],
    ['four bytes to a pair', 'utf-8', 'cesu-8', GRIN.utf8, GRIN.cesu8],
    ['a pair in mixed input', 'cesu-8+utf-8', 'utf-8', GRIN.cesu8, GRIN.utf8],
    ['four bytes in mixed input, unchanged', 'cesu-8+utf-8', 'utf-8', GRIN.utf8, GRIN.utf8],
    [
      'an unpaired surrogate that passes',
      'cesu-8-lenient',
      'cesu-8-lenient',
      hex('ED A0 BD'),
      hex('ED A0 BD'),
    ],
    ['labels in any case', 'CSCESU-8', 'csUTF8', GRIN.cesu8, GRIN.utf8],
    ['nothing', 'cesu-8', 'utf-8', hex(''), hex('')],
  ])('converts %s', async (_, from, to, input, output) => {
    const result = await utf8(['convert', '--from', from, '--to', to], input);
    expect(result).toEqual({ status: 0, signal: null, stdout: output, stderr: '' });
  });

  it('writes UTF-8 where --to is not given', async () => {
    const { stdout } = await utf8(['convert', '--from', 'cesu-8'], GRIN.cesu8);
    expect(stdout).toEqual(GRIN.utf8);
  });

  it('reads Oracle’s UTF8 as CESU-8 only when asked by --vendor', async () => {
    const args = ['convert', '--from', 'UTF8', '--vendor', 'oracle'];
    expect((await utf8(args, GRIN.cesu8)).stdout).toEqual(GRIN.utf8);
  });

  it('converts files one after the other, an empty one and stdin among them', async () => {
    writeFileSync(path('one'), GRIN.cesu8);
    writeFileSync(path('empty'), '');
    const args = ['convert', '--from', 'cesu-8', path('one'), path('empty'), '-', path('one')];
    const { status, stdout } = await utf8(args, 'between');
    expect(status).toBe(0);
    expect(stdout).toEqual(Buffer.concat([GRIN.utf8, Buffer.from('between'), GRIN.utf8]));
  });

  it('does not join a high surrogate at the end of a file with the next file', async () => {
    writeFileSync(path('high'), hex('ED A0 BD'));
    writeFileSync(path('low'), hex('ED B8 80'));
    const { status, stderr } = await utf8([
      'convert',
      '--from',
      'cesu-8',
      path('high'),
      path('low'),
    ]);
    expect(status).toBe(1);
    expect(stderr).toContain(`${path('high')}:1:1: offset 0: surrogate: ED A0 BD\n`);
  });

  it('passes on a line as soon as it has come', async () => {
    const child = start(['convert', '--from', 'cesu-8']);
    const line = new Promise((resolve) => child.stdout?.once('data', resolve));
    child.stdin?.write('one line\n');
    expect(String(await line)).toBe('one line\n');
    await finish(child);
  });
});

describe('convert on malformed input', () => {
  it('ends at an unpaired surrogate under strict, with its place and what to do', async () => {
    const { status, stdout, stderr } = await utf8(
      ['convert', '--from', 'cesu-8', '--to', 'utf-8'],
      hex('ED A0 BD'),
    );
    expect(status).toBe(1);
    expect(stdout).toEqual(hex(''));
    expect(stderr).toBe(`-:1:1: offset 0: surrogate: ED A0 BD
utf8: -: malformed cesu-8; find its encoding with utf8 detect, list all malformed bytes with utf8 check --from cesu-8, or repair them with --errors
See https://utf8-codecs.github.io/utf8/guide/errors#surrogate
`);
  });

  it('writes what is before the fault to stdout', async () => {
    const input = Buffer.concat([Buffer.from('á\nbé'), hex('FF 41')]);
    const result = await utf8(['convert', '--from', 'utf-8'], input);
    expect(result.stdout.toString()).toBe('á\nbé');
    expect(result.stderr).toContain('-:2:3: offset 6: invalid-lead: FF\n');
  });

  it('refuses an unpaired surrogate that the target cannot encode', async () => {
    const args = ['convert', '--from', 'cesu-8-lenient', '--to', 'utf-8'];
    const { status, stderr } = await utf8(args, hex('41 ED B8 80'));
    expect(status).toBe(1);
    expect(stderr).toBe(`-:1:2: offset 1: surrogate: ED B8 80
utf8: -: utf-8 cannot encode this; add --errors escape to keep its bytes
See https://utf8-codecs.github.io/utf8/guide/errors#surrogate
`);
    const repaired = await utf8([...args, '--errors', 'escape'], hex('41 ED B8 80'));
    expect(repaired.stdout.toString()).toBe('A\\xed\\xb8\\x80');
  });

  it.each([
    ['replace', 'a\uFFFDb\uFFFD', 'replaced 2 malformed characters (surrogate 1, truncated 1)'],
    ['remove', 'ab', 'removed 2 malformed characters (surrogate 1, truncated 1)'],
    [
      'escape',
      'a\\xed\\xa0\\xbdb\\xe2\\x82',
      'escaped 2 malformed characters (surrogate 1, truncated 1)',
    ],
  ])('continues under %s and counts', async (errors, text, said) => {
    const args = ['convert', '--from', 'cesu-8', '--errors', errors];
    const input = hex('61 ED A0 BD 62 E2 82');
    const { status, stdout, stderr } = await utf8(args, input);
    expect([status, stdout.toString(), stderr]).toEqual([0, text, `utf8: ${said}\n`]);
    const json = await utf8([...args, '--json'], input);
    expect(JSON.parse(json.stderr)).toEqual({
      type: 'summary',
      errors,
      faults: { surrogate: 1, truncated: 1 },
      nul: { removed: 0, replaced: 0 },
    });
  });

  it('prints the finding as JSON', async () => {
    const { status, stderr } = await utf8(
      ['convert', '--from', 'cesu-8', '--json'],
      hex('0A ED A0 BD'),
    );
    expect(status).toBe(1);
    expect(JSON.parse(stderr)).toEqual({
      type: 'finding',
      file: '-',
      line: 2,
      column: 1,
      offset: 1,
      length: 3,
      reason: 'surrogate',
      bytes: 'ED A0 BD',
    });
  });

  it('counts lines and columns in a file that it reads for the second time', async () => {
    const lines = '한국어 text\n'.repeat(40_000);
    writeFileSync(path('late'), Buffer.concat([Buffer.from(`${lines}한국`), hex('ED A0 BD 0A')]));
    const { stderr } = await utf8(['convert', '--from', 'cesu-8', path('late'), '-o', path('out')]);
    const offset = Buffer.byteLength(lines) + 6;
    expect(stderr).toContain(`${path('late')}:40001:3: offset ${offset}: surrogate: ED A0 BD\n`);
    const piped = await utf8(['convert', '--from', 'cesu-8'], readFileSync(path('late')));
    expect(piped.stderr).toContain(`-:40001:3: offset ${offset}: surrogate: ED A0 BD\n`);
  });
});

describe('--bom', () => {
  const BOM = hex('EF BB BF');
  const text = Buffer.from('text');
  const marked = Buffer.concat([BOM, text]);

  it.each([
    ['keeps one', 'keep', marked, marked],
    ['keeps none', 'keep', text, text],
    ['strips one', 'strip', marked, text],
    ['strips no second one', 'strip', Buffer.concat([BOM, marked]), marked],
    ['strips nothing else', 'strip', text, text],
    ['adds one', 'add', text, marked],
    ['adds none to one', 'add', marked, marked],
    ['adds one to nothing', 'add', hex(''), BOM],
  ])('%s', async (_, bom, input, output) => {
    const result = await utf8(['convert', '--from', 'cesu-8', '--bom', bom], input);
    expect(result.stdout).toEqual(output);
  });

  it('strips the one of each file, and adds one to the output', async () => {
    writeFileSync(path('marked'), marked);
    const args = ['convert', '--from', 'cesu-8', path('marked'), path('marked')];
    const stripped = await utf8([...args, '--bom', 'strip']);
    expect(stripped.stdout.toString()).toBe('texttext');
    const added = await utf8([...args, '--bom', 'add']);
    expect(added.stdout).toEqual(Buffer.concat([marked, marked]));
  });

  it('counts the mark in offsets and columns of findings', async () => {
    const args = ['convert', '--from', 'cesu-8', '--bom', 'strip'];
    const { stderr } = await utf8(args, Buffer.concat([marked, hex('FF')]));
    expect(stderr).toContain('-:1:6: offset 7: invalid-lead: FF\n');
  });
});

describe('--nul', () => {
  const input = hex('61 00 0A C3 A9 00 00');

  it.each([
    ['keep', input, ''],
    ['remove', hex('61 0A C3 A9'), 'utf8: removed U+0000 3 times\n'],
    ['replace', hex('61 EF BF BD 0A C3 A9 EF BF BD EF BF BD'), 'utf8: replaced U+0000 3 times\n'],
  ])('%s', async (nul, output, said) => {
    const result = await utf8(['convert', '--from', 'cesu-8', '--nul', nul], input);
    expect([result.status, result.stdout, result.stderr]).toEqual([0, output, said]);
  });

  it('fail names the place in the source, unless a fault comes first', async () => {
    const args = ['convert', '--from', 'cesu-8', '--nul', 'fail'];
    const { status, stdout, stderr } = await utf8(args, hex('0A C3 A9 00'));
    expect([status, stdout]).toEqual([1, hex('0A C3 A9')]);
    expect(stderr).toBe(`-:2:2: offset 3: nul: 00
utf8: -: --nul fail refuses U+0000; use --nul keep, or --nul replace --undo FILE
`);
    expect((await utf8(args, hex('FF 00'))).stderr).toContain('offset 0: invalid-lead: FF');
    expect((await utf8(args, hex('00 FF'))).stderr).toContain('offset 0: nul: 00');
    expect((await utf8([...args, '--errors', 'remove'], hex('FF 00'))).stderr).toContain(
      'offset 1: nul',
    );
  });
});

describe('convert and folders', () => {
  it('converts nothing if one of the files is a directory', async () => {
    mkdirSync(path('folder'));
    const result = await utf8(['convert', '--from', 'utf-8', path('one'), path('folder')]);
    expect(result).toMatchObject({ status: 3, stdout: hex('') });
  });
});

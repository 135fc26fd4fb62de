/** Compressed and binary files, as the command reads them; `UTF8_SEED=1` repeats a run. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { findProgram } from '../../../tooling/conformance/runtimes/programs.mjs';
import { seed } from '../../../tooling/tiers/tier.js';
import { need, program } from './built.js';
import { makeClass } from './class.js';
import { hex, plainEnv, useFolder, utf8 } from './command.js';

const path = useFolder();

const zstd = (bytes: Uint8Array): Buffer =>
  spawnSync('zstd', ['-q', '-c'], { input: bytes, maxBuffer: 2 ** 30 }).stdout;

/** Text of a dump, some of it alike and some of it not. */
function generateText(length: number): Buffer {
  let state = seed | 1;
  const lines: string[] = [];
  for (let size = 0; size < length; size += lines.at(-1)?.length ?? 0) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    lines.push(`${lines.length}\t${state.toString(36)}\t한국어 ${state % 100}\t😀\n`);
  }
  const text = Buffer.from(lines.join(''));
  // Whole lines: a seed in some would else cut a character.
  return text.subarray(0, text.lastIndexOf('\n', length - 1) + 1);
}

describe.each(['node-22', 'node-24'])('zstd with %s, which has its own', (name) => {
  it('is unpacked, and damage is seen', { tags: ['slow'] }, () => {
    need('zstd');
    const node = findProgram(name);
    if (!node) throw new Error(`missing: ${name}`);
    const text = generateText(1_000_000);
    const args = [program, 'convert', '--format', 'lines', '--from', 'utf-8', path('dump.zst')];
    const packed = Buffer.concat([zstd(text.subarray(0, 400_000)), zstd(text.subarray(400_000))]);
    writeFileSync(path('dump.zst'), packed);
    const { status, stdout } = spawnSync(node, args, { maxBuffer: 2 ** 30 });
    expect([status, stdout.equals(text)]).toEqual([0, true]);
    writeFileSync(path('dump.zst'), packed.subarray(0, -1));
    const cut = spawnSync(node, args, { maxBuffer: 2 ** 30 });
    expect(cut.status).toBe(3);
    expect(cut.stderr.toString()).toBe(
      `utf8: ${path('dump.zst')}: its zstd data is truncated; copy the whole file again\n`,
    );
  });
});

describe('the command', () => {
  const convert = ['convert', '--format', 'lines', '--from', 'cesu-8+utf-8'];
  const lines = Buffer.concat([
    Buffer.from('first\n'),
    hex('ED A0 BD ED B8 80'),
    Buffer.from('\n'),
  ]);

  it.each([
    ['a file', 'in.gz'],
    ['stdin', '-'],
  ])('unpacks %s, into a file', async (_, name) => {
    writeFileSync(path('in.gz'), gzipSync(lines));
    const input = name === '-' ? name : path(name);
    const { status, stderr } = await utf8(
      [...convert, '-o', path('out'), input],
      readFileSync(path('in.gz')),
    );
    expect([status, stderr]).toEqual([0, '']);
    expect(readFileSync(path('out'), 'utf8')).toBe('first\n😀\n');
  });

  it('leaves nothing if compressed data is truncated', async () => {
    writeFileSync(path('cut.gz'), gzipSync(lines).subarray(0, -3));
    const { status, stderr } = await utf8([...convert, '-o', path('none'), path('cut.gz')]);
    expect([status, stderr]).toEqual([
      3,
      `utf8: ${path('cut.gz')}: its gzip data is truncated; copy the whole file again\n`,
    ]);
    expect(existsSync(path('none'))).toBe(false);
  });

  it('refuses --range in what is compressed', async () => {
    writeFileSync(path('in.gz'), gzipSync(lines));
    const { status, stderr } = await utf8([...convert, '--range', '0-5', path('in.gz')]);
    expect([status, stderr]).toEqual([
      3,
      `utf8: ${path('in.gz')}: is compressed with gzip and cannot be read from an arbitrary position; decompress it first: gzip -dk FILE\n`,
    ]);
  });

  it('refuses dumps that are no text', async () => {
    writeFileSync(path('dump'), 'PGDMP\x01\x0e');
    const { status, stderr } = await utf8([...convert, path('dump')]);
    expect([status, stderr]).toEqual([
      3,
      `utf8: ${path('dump')}: is a custom-format dump of pg_dump; convert it to text first: pg_restore -f - FILE\n`,
    ]);
  });

  const named = (name: string): string[] => [path(name)];

  it.each([
    ['convert', ['convert', '-f', 'utf-8'], 'text\n'],
    ['check', ['check', '--from', 'utf-8'], ''],
    ['detect', ['detect'], '5 bytes: all ASCII'],
    ['explain', ['explain'], 'U+0074   t'],
    ['scan', ['scan', '--format', 'lines'], '1 record: nothing found'],
  ])('%s reads gzip and zstd, from files and from stdin', async (_, args, output) => {
    // A frame with one block, which is not compressed: "text\n".
    const frame = hex('28B52FFD 20 05 290000 746578740A');
    for (const bytes of [gzipSync('text\n'), frame]) {
      writeFileSync(path('packed'), bytes);
      for (const [more, input] of [[named('packed'), ''] as const, [[], bytes] as const]) {
        const { status, stdout, stderr } = await utf8([...args, ...more], input);
        expect([status, stderr]).toEqual([0, '']);
        expect(stdout.toString()).toContain(output);
      }
    }
  });

  it('strings reads a compressed class', async () => {
    writeFileSync(path('A.class.gz'), gzipSync(makeClass('A', ['text'])));
    const { status, stdout } = await utf8(['strings', '--kind', 'literal', path('A.class.gz')]);
    expect([status, stdout.toString()]).toEqual([0, `${path('A.class.gz')}#5@42\tliteral\ttext\n`]);
  });

  it.each([
    ['convert', ['convert', '-f', 'utf-8']],
    ['detect', ['detect']],
    ['scan', ['scan', '--format', 'lines']],
  ])('%s refuses what is not text, with what to do instead', async (_, args) => {
    const kinds = {
      'a custom-format dump of pg_dump': Buffer.from('PGDMP\x01\x0e'),
      'an SQLite database': Buffer.from('SQLite format 3\0\x10\0\x01\x01'),
      'UTF-16 text': Buffer.from('\ufefftext', 'utf16le'),
    };
    for (const [what, bytes] of Object.entries(kinds)) {
      writeFileSync(path('binary'), bytes);
      const { status, stdout, stderr } = await utf8([...args, path('binary')]);
      expect([status, stdout.toString()]).toEqual([3, expect.not.stringContaining('found')]);
      expect(stderr).toContain(`utf8: ${path('binary')}: is ${what}`);
      expect(stderr).toMatch(/^[^\n]*first: [^\n]*\n$/);
    }
  });

  it('a truncated .gz has one hint, even if progress was saved', async () => {
    writeFileSync(path('torn.gz'), gzipSync(generateText(1 << 18), { level: 1 }).subarray(0, -99));
    const env = plainEnv({ UTF8_TEST_STRIDE: '65536' });
    for (const args of [convert, ['convert', '-f', 'utf-8'], ['check'], ['detect']]) {
      const output = args[0] === 'convert' ? ['-o', path('torn')] : [];
      const { status, stderr } = await utf8([...args, path('torn.gz'), ...output], '', { env });
      const sentence = 'its gzip data is truncated; copy the whole file again';
      expect([status, stderr]).toEqual([3, `utf8: ${path('torn.gz')}: ${sentence}\n`]);
      expect(existsSync(path('torn'))).toBe(false);
    }
  });
});

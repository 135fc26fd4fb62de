import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as cesu8 from '@utf8/cesu8';
import { convertDump } from '@utf8/dump';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale, seed } from '../../../tooling/tiers/tier.js';
import { hex, sample, useFolder, utf8 } from './command.js';

const path = useFolder();

const NONE = {
  pair: 0,
  'four-byte': 0,
  'unpaired-surrogate': 0,
  nul: 0,
  overlong: 0,
  other: 0,
};

describe('--stats', () => {
  it('tells what became of the sample', async () => {
    const args = ['convert', '--from', 'cesu-8+utf-8', sample, '-o', path('out'), '--stats', '-'];
    const { status, stdout, stderr } = await utf8(args);
    expect([status, stderr]).toEqual([0, '']);
    const before = readFileSync(sample);
    const text = readFileSync(path('out'), 'utf8');
    const pairs = before.toString('latin1').match(/\xed[\xa0-\xaf].\xed[\xb0-\xbf]./g)?.length ?? 0;
    const lines = before.toString('latin1').split('\n');
    expect(JSON.parse(stdout.toString())).toEqual({
      type: 'stats',
      files: [sample],
      from: 'cesu-8+utf-8',
      to: 'utf-8',
      bytesRead: before.length,
      bytesWritten: before.length - 2 * pairs,
      characters: [...text].length,
      lines: lines.length - 1,
      changedCharacters: { ...NONE, pair: pairs },
      changedLines: lines.filter((line) => /\xed[\xa0-\xaf]/.test(line)).length,
      errors: 'fail',
      faults: {},
      nul: { removed: 0, replaced: 0 },
      bom: { stripped: 0, added: 0 },
    });
  });

  it('goes to stderr where stdout carries the data', async () => {
    const args = ['convert', '--from', 'utf-8', '--to', 'cesu-8', '--stats', '-'];
    const { stdout, stderr } = await utf8(args, '😀');
    expect(stdout).toEqual(hex('ED A0 BD ED B8 80'));
    expect(JSON.parse(stderr).changedCharacters).toEqual({ ...NONE, 'four-byte': 1 });
  });

  it('goes to a file, which is written as a whole or not at all', async () => {
    const args = ['convert', '--from', 'cesu-8', '--stats', path('stats.json')];
    await utf8(args, 'text');
    expect(JSON.parse(readFileSync(path('stats.json'), 'utf8'))).toMatchObject({ bytesRead: 4 });
    await utf8(args, hex('FF'));
    expect(JSON.parse(readFileSync(path('stats.json'), 'utf8'))).toMatchObject({ bytesRead: 4 });
    expect(readdirSync(path('.')).filter((name) => name.includes('unfinished'))).toEqual([]);
  });

  it('counts repaired faults, U+0000 and byte order marks, and the lines they are in', async () => {
    writeFileSync(path('a'), hex('EF BB BF 41 0A FF C3 A9 00 0A 42 0A ED A0 BD'));
    writeFileSync(path('b'), hex('00'));
    const flags = ['--errors', 'remove', '--nul', 'remove', '--bom', 'strip'];
    const args = ['convert', '--from', 'cesu-8', path('a'), path('b'), ...flags];
    const { stderr } = await utf8([...args, '-o', '/dev/null', '--stats', path('s')]);
    expect(stderr).toBe(
      'utf8: removed 2 malformed characters (invalid-lead 1, surrogate 1); removed U+0000 2 times\n',
    );
    expect(JSON.parse(readFileSync(path('s'), 'utf8'))).toMatchObject({
      bytesRead: 16,
      bytesWritten: 7,
      characters: 11,
      lines: 5,
      changedCharacters: NONE,
      changedLines: 3,
      errors: 'remove',
      faults: { 'invalid-lead': 1, surrogate: 1 },
      nul: { removed: 2, replaced: 0 },
      bom: { stripped: 1, added: 0 },
    });
  });

  it('reconciles for any input, in lines and in bytes', async () => {
    const parts = fc.array(
      fc.constantFrom(
        'ED A0 BD ED B8 80',
        'F0 9F 98 80',
        'ED 95 9C',
        'ED A0 BD',
        'FF',
        '0A',
        '41',
        'C3',
      ),
      { maxLength: 60 },
    );
    const errors = fc.constantFrom(...(['replace', 'remove', 'escape'] as const));
    await fc.assert(
      fc.asyncProperty(parts, errors, async (parts, errors) => {
        const bytes = hex(parts.join(''));
        writeFileSync(path('input'), bytes);
        await convertDump({
          input: path('input'),
          from: 'cesu-8+utf-8',
          to: 'cesu-8',
          errors,
          output: path('result'),
          stats: path('statistics'),
        });
        const stats = JSON.parse(readFileSync(path('statistics'), 'utf8'));
        const result = readFileSync(path('result'));
        const faults = Object.values<number>(stats.faults).reduce((sum, number) => sum + number, 0);
        const fourByteForms = bytes.toString('latin1').match(/\xf0\x9f\x98\x80/g)?.length ?? 0;
        expect(stats.bytesRead).toBe(bytes.length);
        expect(stats.bytesWritten).toBe(result.length);
        expect(stats.changedCharacters).toEqual({ ...NONE, 'four-byte': fourByteForms });
        expect(stats.lines).toBe(
          bytes.toString('latin1').split('\n').length -
            (/(^|\n)$/.test(bytes.toString('latin1')) ? 1 : 0),
        );
        if (errors === 'replace') expect(stats.characters).toBe(cesu8.countCodePoints(result));
        if (errors === 'remove')
          expect(stats.characters - faults).toBe(cesu8.countCodePoints(result));
        const linesBefore = bytes.toString('latin1').split('\n');
        const linesAfter = result.toString('latin1').split('\n');
        expect(linesAfter).toHaveLength(linesBefore.length);
        expect(stats.changedLines).toBe(
          linesBefore.filter((line, i) => line !== linesAfter[i]).length,
        );
      }),
      { numRuns: scale(300), seed },
    );
  });
});

import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listCounters } from '../src/words/counters.js';
import { hex, useFolder, utf8 } from './command.js';

const path = useFolder();

describe('--counters hadoop', () => {
  it('has a line for every number among the statistics', () => {
    const stats = {
      files: ['a', 'b'],
      from: 'utf-8',
      bytes: 3,
      lines: undefined,
      nul: { kept: 0 },
    };
    expect(listCounters(stats)).toEqual([
      'reporter:counter:utf8,bytes,3',
      'reporter:counter:utf8,nul.kept,0',
    ]);
  });

  it('says on stderr what --stats says', async () => {
    const input = hex('41 ED A0 BD ED B8 80 0A FF 00 0A');
    const args = ['convert', '--from', 'cesu-8', '--errors', 'replace', '--nul', 'remove'];
    const { status, stdout, stderr } = await utf8([...args, '--counters', 'hadoop'], input);
    expect([status, stdout]).toEqual([0, hex('41 F0 9F 98 80 0A EF BF BD 0A')]);
    expect(stderr.split('\n').filter((line) => line.startsWith('reporter:'))).toEqual([
      'reporter:counter:utf8,bytesRead,11',
      'reporter:counter:utf8,bytesWritten,10',
      'reporter:counter:utf8,characters,6',
      'reporter:counter:utf8,lines,2',
      'reporter:counter:utf8,changedCharacters.pair,1',
      'reporter:counter:utf8,changedCharacters.four-byte form,0',
      'reporter:counter:utf8,changedCharacters.unpaired surrogate,0',
      'reporter:counter:utf8,changedCharacters.nul,0',
      'reporter:counter:utf8,changedCharacters.overlong,0',
      'reporter:counter:utf8,changedCharacters.other,0',
      'reporter:counter:utf8,changedLines,2',
      'reporter:counter:utf8,faults.invalid-lead,1',
      'reporter:counter:utf8,nul.removed,1',
      'reporter:counter:utf8,nul.replaced,0',
      'reporter:counter:utf8,bom.stripped,0',
      'reporter:counter:utf8,bom.added,0',
    ]);
  });

  it('goes with --stats and -o', async () => {
    const args = ['convert', '--from', 'utf-8', '--counters', 'hadoop', '--stats', path('stats')];
    const { status, stderr } = await utf8([...args, '-o', path('out')], 'text\n');
    expect(status).toBe(0);
    expect(stderr).toContain('reporter:counter:utf8,lines,1\n');
  });

  it('says the same of several threads', async () => {
    const line = Buffer.concat([hex('ED A0 BD ED B8 80'), Buffer.from(' text\n')]);
    writeFileSync(path('in'), Buffer.concat(new Array(40_000).fill(line)));
    const args = ['convert', '--from', 'cesu-8', '--counters', 'hadoop', '-o', path('out')];
    const one = await utf8([...args, path('in')]);
    const two = await utf8([...args, '--jobs', '2', path('in')]);
    expect(one.stderr).toContain('reporter:counter:utf8,changedCharacters.pair,40000\n');
    expect(two.stderr).toBe(one.stderr);
  });

  it('says nothing of a run that a fault ended', async () => {
    const args = ['convert', '--from', 'utf-8', '--counters', 'hadoop'];
    const { status, stderr } = await utf8(args, hex('FF'));
    expect(status).toBe(1);
    expect(stderr).not.toContain('reporter:');
  });

  it('of another form is refused', async () => {
    const { status, stderr } = await utf8(['convert', '--from', 'utf-8', '--counters', 'spark']);
    expect(status).toBe(2);
    expect(stderr).toBe('utf8: --counters "spark": expected hadoop; see utf8 convert --help\n');
  });
});

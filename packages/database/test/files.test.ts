/** Files that get their name when they are complete. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { OutputError } from '@utf8/dump';
import { discardUnfinished } from '@utf8/files';
import { describe, expect, it } from 'vitest';
import { NewFile } from '../src/new-file.js';
import { useFolder } from './toy-run.js';

const path = useFolder();

const createFolder = (name: string): string => {
  mkdirSync(path(name));
  return path(name);
};

describe('a new file', () => {
  it('replaces another one as a whole', async () => {
    const folder = createFolder('replaced');
    const name = `${folder}/a`;
    writeFileSync(name, 'old');
    const file = new NewFile(name);
    const parts = ['é'.repeat(70_000), 'b', 'c'.repeat(65_536), 'd'];
    for (const part of parts) await file.write(part);
    expect(readFileSync(name, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toHaveLength(2);
    await file.commit();
    file.discard();
    expect(readFileSync(name, 'utf8')).toBe(parts.join(''));
    expect(readdirSync(folder)).toEqual(['a']);
    // Only its owner may read what a database contains.
    expect(statSync(name).mode & 0o777).toBe(0o600);
  });

  it('leaves nothing if it is discarded', async () => {
    const folder = createFolder('discarded');
    const file = new NewFile(`${folder}/a`);
    await file.write('x'.repeat(100_000));
    file.discard();
    file.discard();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves nothing if the process is about to end', async () => {
    const folder = createFolder('ended');
    const file = new NewFile(`${folder}/a`);
    const other = new NewFile(`${folder}/b`);
    await other.commit();
    discardUnfinished();
    expect(readdirSync(folder)).toEqual(['b']);
    file.discard();
    writeFileSync(`${folder}/c`, '');
    discardUnfinished();
    expect(readdirSync(folder)).toEqual(['b', 'c']);
  });

  it('needs a folder', async () => {
    expect(() => new NewFile(path('none/a'))).toThrow(OutputError);
    expect(() => new NewFile(path('none/a'))).toThrow(path('none/a'));
  });
});

/** Files that get their name when they are complete, and the locks of journals. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { BusyError, InputError, nameLock, OutputError } from '@utf8/dump';
import { describe, expect, it } from 'vitest';
import { lockJournal } from '../src/journal/owner-lock.js';
import {
  attempt,
  attemptRead,
  discardTemporaryFiles,
  NewFile,
  removeLater,
} from '../src/new-file.js';
import { useFolder } from './toy-run.js';

const path = useFolder();

const createFolder = (name: string): string => {
  mkdirSync(path(name));
  return path(name);
};

describe('a new file', () => {
  it('replaces another one as a whole', () => {
    const folder = createFolder('replaced');
    const name = `${folder}/a`;
    writeFileSync(name, 'old');
    const file = new NewFile(name);
    const parts = ['é'.repeat(70_000), 'b', 'c'.repeat(65_536), 'd'];
    for (const part of parts) file.write(part);
    expect(readFileSync(name, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toHaveLength(2);
    file.commit();
    file.discard();
    expect(readFileSync(name, 'utf8')).toBe(parts.join(''));
    expect(readdirSync(folder)).toEqual(['a']);
    // Only its owner may read what a database contains.
    expect(statSync(name).mode & 0o777).toBe(0o600);
  });

  it('leaves nothing if it is discarded', () => {
    const folder = createFolder('discarded');
    const file = new NewFile(`${folder}/a`);
    file.write('x'.repeat(100_000));
    file.discard();
    file.discard();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves nothing if the process is about to end', () => {
    const folder = createFolder('ended');
    const file = new NewFile(`${folder}/a`);
    const other = new NewFile(`${folder}/b`);
    other.commit();
    discardTemporaryFiles();
    expect(readdirSync(folder)).toEqual(['b']);
    file.discard();
    writeFileSync(`${folder}/c`, '');
    discardTemporaryFiles();
    expect(readdirSync(folder)).toEqual(['b', 'c']);
  });

  it('needs a folder', () => {
    expect(() => new NewFile(path('none/a'))).toThrow(OutputError);
    expect(() => new NewFile(path('none/a'))).toThrow(path('none/a'));
  });
});

it('a file that another process has replaced is not removed', () => {
  const name = path('replaceable');
  writeFileSync(name, 'other');
  removeLater(name, 'mine')();
  expect(readFileSync(name, 'utf8')).toBe('other');
  removeLater(name, 'other')();
  expect(existsSync(name)).toBe(false);
  removeLater(name, 'other')();
  writeFileSync(name, 'any');
  removeLater(name)();
  expect(existsSync(name)).toBe(false);
});

it('an error names the file, and whether it was read or written', () => {
  const fail = () => readFileSync(path('missing'));
  expect(() => attempt('name', fail)).toThrow(OutputError);
  expect(() => attempt('name', fail)).toThrow(/^name: /);
  expect(() => attemptRead('name', fail)).toThrow(InputError);
  expect(() => attemptRead('name', fail)).toThrow(/^name: /);
  expect([attempt('name', () => 1), attemptRead('name', () => 2)]).toEqual([1, 2]);
});

describe('a lock', () => {
  it('is there until it is released, and no one else has it', () => {
    const folder = createFolder('locked');
    const journal = `${folder}/j`;
    const unlock = lockJournal(journal);
    const lock = nameLock(journal);
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({
      host: hostname(),
      pid: process.pid,
      run: expect.any(String),
    });
    expect(statSync(lock).mode & 0o777).toBe(0o600);
    const again = () => lockJournal(journal);
    expect(again).toThrow(BusyError);
    expect(again).toThrow(
      `${journal}: another process is writing this journal; try again when it has ended`,
    );
    expect(readdirSync(folder)).toHaveLength(1);
    unlock();
    expect(readdirSync(folder)).toEqual([]);
    lockJournal(journal)();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of another process is not removed', () => {
    const journal = path('taken');
    const unlock = lockJournal(journal);
    writeFileSync(nameLock(journal), 'other');
    unlock();
    expect(readFileSync(nameLock(journal), 'utf8')).toBe('other');
  });

  it.each([
    ['', '; if none is'],
    ['nonsense', '; if none is'],
    ['null', '; if none is'],
    [JSON.stringify({ host: hostname() }), '; if none is'],
    [JSON.stringify({ host: 1, pid: 1 }), '; if none is'],
    [JSON.stringify({ host: hostname(), pid: '1' }), '; if none is'],
    [JSON.stringify({ host: 'elsewhere', pid: 1 }), ' on elsewhere; if none is'],
  ])('that may be at work is kept: %s', (text, message) => {
    const folder = createFolder(`kept-${text.length}-${message.length}`);
    const lock = nameLock(`${folder}/j`);
    writeFileSync(lock, text);
    const make = () => lockJournal(`${folder}/j`);
    expect(make).toThrow(BusyError);
    expect(make).toThrow(
      `${folder}/j: another process is writing this journal${message}, remove ${lock}`,
    );
    expect(readdirSync(folder)).toHaveLength(1);
    expect(readFileSync(lock, 'utf8')).toBe(text);
  });

  it('of a dead process is taken over', () => {
    const folder = createFolder('dead');
    const dead = { host: hostname(), boot: 'other', pid: 1, started: '0' };
    writeFileSync(nameLock(`${folder}/j`), JSON.stringify(dead));
    const unlock = lockJournal(`${folder}/j`);
    expect(readdirSync(folder)).toHaveLength(1);
    unlock();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('needs a folder', () => {
    expect(() => lockJournal(path('none/j'))).toThrow(OutputError);
  });
});

/** The locks of files that one process writes at a time. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { onlyIf, useFolder } from '../../dump/test/use-folder.js';
import { nameLock } from '../src/derived-name.js';
import { discardUnfinished, whenInterrupted } from '../src/interrupt.js';
import { LockedError, lock } from '../src/lock.js';
import { describeOwner, isAlive, isLocal } from '../src/owner.js';

const path = useFolder();

const isPosix = process.platform !== 'win32';

let number = 0;

/** A file in a folder of its own, and its lock. */
function prepare() {
  const folder = path(`${++number}`);
  mkdirSync(folder);
  const target = `${folder}/out`;
  return { folder, target, file: nameLock(target) };
}

const dead = { ...describeOwner(), pid: 1, started: '0', run: '0000dead', after: '' };

/** Writes lines of a lock. */
const plant = (file: string, ...lines: readonly object[]): void =>
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });

/** Does something when a lock comes to a point. */
function at(point: string, act: () => void): void {
  vi.stubEnv('UTF8_TEST_STOP', point);
  const kill = vi.spyOn(process, 'kill').mockImplementation((_, signal) => {
    if (signal !== 'SIGKILL') return true;
    kill.mockRestore();
    vi.unstubAllEnvs();
    act();
    return true;
  });
}

describe('a lock', () => {
  it('is there until it is released, and no one else has it', () => {
    const { folder, target, file } = prepare();
    const unlock = lock(target);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      ...describeOwner(),
      run: expect.stringMatching(/^[\da-f]{8}$/),
      after: '',
    });
    if (isPosix) expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = () => lock(target);
    expect(again).toThrow(LockedError);
    expect(again).toThrow(`process ${process.pid} is writing this file; try again when it has`);
    expect(readdirSync(folder)).toHaveLength(1);
    unlock();
    expect(readdirSync(folder)).toEqual([]);
    lock(target)();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is the last to go when a run is interrupted', () => {
    const { target, file } = prepare();
    lock(target);
    let wasLocked = false;
    whenInterrupted(() => {
      wasLocked = existsSync(file);
    });
    discardUnfinished();
    expect([wasLocked, existsSync(file)]).toEqual([true, false]);
  });

  it('that is another one by now is not removed', () => {
    const { target, file } = prepare();
    const unlock = lock(target);
    plant(file, { ...dead, run: '0000beef' });
    const text = readFileSync(file, 'utf8');
    unlock();
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it.each([
    'nonsense',
    'null\n',
    JSON.stringify({ ...dead, host: 1 }),
    JSON.stringify({ ...dead, pid: '1' }),
    JSON.stringify({ ...dead, run: undefined }),
    JSON.stringify({ host: dead.host, pid: 1 }),
  ])('that is none is kept: %s', (text) => {
    const { folder, target, file } = prepare();
    writeFileSync(file, text, { mode: 0o600 });
    expect(() => lock(target)).toThrow(
      `another process is writing this file; if none is, remove ${file}`,
    );
    expect(readdirSync(folder)).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('of another host or container is kept', () => {
    for (const [host, where] of [
      ['far 0123', 'host far'],
      [`${hostname()} other`, `another container of ${hostname()}`],
    ] as const) {
      const { target, file } = prepare();
      plant(file, { ...dead, host, pid: 7 });
      expect(() => lock(target)).toThrow(
        `process 7 on ${where} is writing this file, or was interrupted; resume it there, or remove ${file} if it has ended`,
      );
    }
  });

  onlyIf(isPosix)('of another user, or that others can write, or that is no file, is kept', () => {
    const changes: [string, (file: string) => void][] = [
      ['can be written by other users', (file) => chmodSync(file, 0o620)],
      [
        'is not a regular file',
        (file) => {
          renameSync(file, `${file}.moved`);
          symlinkSync(`${file}.moved`, file);
        },
      ],
    ];
    if (process.geteuid?.() === 0) {
      changes.push(['belongs to another user', (file) => chownSync(file, 65_534, 65_534)]);
    }
    for (const [why, change] of changes) {
      const { target, file } = prepare();
      plant(file, dead);
      change(file);
      expect(() => lock(target)).toThrow(`${file}: ${why}; to begin again, remove this file`);
    }
  });

  it('needs a folder', () => {
    expect(() => lock(path('none/j'))).toThrow('ENOENT');
  });
});

describe('the lock of a dead process', () => {
  it('is taken over, again and again', () => {
    const { folder, target, file } = prepare();
    plant(file, dead, { ...dead, run: '0000beef', after: '0000dead' });
    const unlock = lock(target);
    expect(
      readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      dead,
      expect.anything(),
      expect.objectContaining({ pid: process.pid, after: '0000beef' }),
    ]);
    expect(() => lock(target)).toThrow(LockedError);
    unlock();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('may be cut off, or empty', () => {
    for (const text of ['', '{', '{"host":"x"', `${JSON.stringify(dead)}\n{"host":"x","pi`]) {
      const { folder, target, file } = prepare();
      writeFileSync(file, text, { mode: 0o600 });
      const unlock = lock(target);
      expect(() => lock(target)).toThrow(LockedError);
      unlock();
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  it('goes to the first that takes it over, whoever else had seen it', () => {
    const { folder, target, file } = prepare();
    plant(file, dead);
    let unlock = (): void => {};
    at('lock:read', () => {
      unlock = lock(target);
    });
    expect(() => lock(target)).toThrow(LockedError);
    // The line of the second does not count.
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(3);
    expect(() => lock(target)).toThrow(LockedError);
    unlock();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('may be removed while it is taken over', () => {
    for (const point of ['lock:read', 'lock:written']) {
      const { folder, target, file } = prepare();
      plant(file, dead);
      at(point, () => renameSync(file, `${folder}/removed`));
      const unlock = lock(target);
      expect(existsSync(file)).toBe(true);
      expect(() => lock(target)).toThrow(LockedError);
      unlock();
      expect(readdirSync(folder)).toEqual(['removed']);
    }
  });

  it('that another one has taken over since is not its own any more', () => {
    const { target, file } = prepare();
    plant(file, dead);
    // As if this process were taken for a dead one.
    at('lock:written', () => {
      const [, line = ''] = readFileSync(file, 'utf8').split('\n');
      const { run } = JSON.parse(line);
      appendFileSync(file, `${JSON.stringify({ ...dead, run: '0000cafe', after: run })}\n`);
    });
    expect(() => lock(target)).toThrow(LockedError);
  });
});

describe('a process', () => {
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  it('knows which one it is', () => {
    const owner = describeOwner();
    expect(owner.host.split(' ')[0]).toBe(hostname());
    expect([owner.pid, isLocal(owner), isAlive(owner)]).toEqual([process.pid, true, true]);
    if (process.platform === 'linux') {
      expect(owner.started).toMatch(/^[\da-f-]{36} pid:\[\d+\] \d+$/);
    }
  });

  it.runIf(process.platform === 'linux')('that only has the number of another is not it', () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    children.push(child);
    const pid = child.pid as number;
    const stat = (): string => readFileSync(`/proc/${pid}/stat`, 'latin1');
    const ticks = (): string => /^.*\) (.*)/s.exec(stat())?.[1]?.split(' ')[19] ?? '';
    // The boot and the PID namespace are those of this process.
    const started = describeOwner().started?.replace(/\d+$/, ticks) ?? null;
    const { target, file } = prepare();
    plant(file, { ...dead, pid, started });
    expect(() => lock(target)).toThrow(`process ${pid} is writing this file`);
    expect(isAlive({ ...describeOwner(), pid, started })).toBe(true);
    for (const other of ['1', started?.replace(/^./, 'x') as string]) {
      expect(isAlive({ ...describeOwner(), pid, started: other })).toBe(false);
    }
    plant(file, { ...dead, pid, started: '1' });
    lock(target)();
  });
});

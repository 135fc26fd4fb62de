/** Transactions that meet locks, and the progress of other runs. */
import { BusyError, OutputError } from '@utf8/dump';
import { describeOwner } from '@utf8/files';
import { describe, expect, it } from 'vitest';
import { RollbackError, readInterrupted, Session } from '../src/repair/session.js';
import { LockError } from '../src/server/lock-error.js';
import type { Progress, Server } from '../src/server/server.js';
import { ToyServer } from './toy-server.js';

const progress = (properties: Partial<Progress> = {}): Progress => ({
  identity: 'i',
  table: 't',
  after: undefined,
  undoSize: 7,
  counts: { rows: 1 },
  ...properties,
});

const transient = () => Object.assign(new Error('later'), { isTransient: true });

/** A session whose server fails as the hook says, and what it has slept. */
function start(hook: (point: string) => void = () => {}, saved?: Progress) {
  const server = new ToyServer([]);
  server.state.progress = saved;
  server.hook = hook;
  const waits: number[] = [];
  let rollbacks = 0;
  const session = new Session(server, saved, {
    sleep: async (milliseconds) => waits.push(milliseconds),
    onRollback: () => rollbacks++,
  });
  const save = (next: Progress = progress()) =>
    session.transact(async () => ({ progress: next, result: 'done' }));
  return { server, session, waits, save, countRollbacks: () => rollbacks };
}

/** Fails so many times at a point. */
function failing(times: number, at: string, make: () => Error) {
  let left = times;
  return (point: string): void => {
    if (point === at && left-- > 0) throw make();
  };
}

describe('a transaction', () => {
  it('saves its progress with what tells its run apart', async () => {
    const { server, session, save, waits } = start();
    expect(await save()).toBe('done');
    const { progress: saved } = server.state;
    expect(saved).toMatchObject({ identity: 'i', undoSize: 7, counts: { rows: 1 } });
    expect(saved?.counts).toMatchObject({
      run: expect.any(String),
      owner: { host: describeOwner().host, pid: process.pid },
    });
    await save(progress({ undoSize: 8 }));
    expect(server.state.progress?.undoSize).toBe(8);
    await session.finish();
    expect(server.state.progress).toBeUndefined();
    expect(waits).toEqual([]);
  });

  it.each([
    ['an error that says so', transient],
    ['a lock', () => new LockError('locked')],
  ])('is tried again after %s', async (_, make) => {
    for (const point of ['begin', 'before commit']) {
      const { server, save, waits, countRollbacks } = start(failing(4, point, make));
      expect(await save()).toBe('done');
      expect(waits).toEqual([100, 200, 400, 800]);
      expect(countRollbacks()).toBe(4);
      expect(server.state.progress).toMatchObject({ undoSize: 7 });
    }
  });

  it('is given up after five times', async () => {
    const { save, waits, countRollbacks } = start(failing(5, 'begin', transient));
    const error = await save().catch((error) => error);
    expect(error).toBeInstanceOf(OutputError);
    expect(error.message).toBe(
      'later; tried 5 times; progress was saved; try again with `resume` when fewer programs write',
    );
    expect(error.cause).toMatchObject({ message: 'later' });
    expect(waits).toEqual([100, 200, 400, 800]);
    // The last one was rolled back, too.
    expect(countRollbacks()).toBe(5);
  });

  it('ends with any other error at once', async () => {
    for (const error of [new Error('x'), Object.assign(new Error('x'), { isTransient: 1 })]) {
      const { save, waits, countRollbacks } = start(failing(1, 'begin', () => error));
      await expect(save()).rejects.toBe(error);
      expect([waits, countRollbacks()]).toEqual([[], 0]);
    }
    const { session } = start(failing(1, 'begin', () => null as never));
    await expect(
      session.transact(async () => ({ progress: progress(), result: 0 })),
    ).rejects.toBeNull();
  });

  it('is rolled back for the reason that was given, whatever the server says of it', async () => {
    const reason = new RollbackError('ours');
    const { server, session } = start();
    const { transact } = server;
    server.transact = async (work) =>
      transact.call(server, work).catch(() => {
        throw new Error('of the server');
      }) as never;
    const run = (error: Error) =>
      session.transact(async () => {
        throw error;
      });
    await expect(run(reason)).rejects.toBe(reason);
    await expect(run(new Error('any'))).rejects.toThrow('of the server');
    expect(server.state.progress).toBeUndefined();
  });

  it('needs the progress of its own run', async () => {
    const message =
      'another run is repairing this database, or has removed the progress of this one; try again when it has ended';
    const changes: ((saved: Progress) => Progress | undefined)[] = [
      () => undefined,
      (saved) => ({ ...saved, undoSize: 9 }),
      (saved) => ({ ...saved, counts: { ...saved.counts, run: 'other' } }),
    ];
    for (const change of changes) {
      const { server, session, save, waits } = start();
      await save();
      server.state.progress = change(server.state.progress as Progress);
      const before = structuredClone(server.state.progress);
      for (const act of [() => save(), () => session.finish()]) {
        const error = await act().catch((error) => error);
        expect(error).toBeInstanceOf(BusyError);
        expect(error.message).toBe(message);
      }
      expect(server.state.progress).toEqual(before);
      expect(waits).toEqual([]);
    }
  });

  it('may follow an interrupted run', async () => {
    const { server, save } = start(undefined, progress({ counts: { run: 'old' } }));
    expect(await save()).toBe('done');
    expect(server.state.progress?.counts).not.toMatchObject({ run: 'old' });
  });

  it('that removes progress is tried again', async () => {
    const { server, session, save, waits } = start(failing(1, 'before clear', transient));
    await save();
    await session.finish();
    expect(server.state.progress).toBeUndefined();
    expect(waits).toEqual([100]);
    expect(await save()).toBe('done');
  });
});

describe('progress', () => {
  const dead = { ...describeOwner(), pid: 1, started: '0' };
  const serve = (saved: Progress | undefined, claim?: () => Promise<void>): Server => {
    const server = new ToyServer([]) as Server & ToyServer;
    server.state.progress = saved;
    if (claim) server.claim = claim;
    return server;
  };

  it('of a run that has ended is returned', async () => {
    expect(await readInterrupted(serve(undefined))).toBeUndefined();
    const owners = [
      undefined,
      dead,
      { ...dead, host: 'elsewhere', pid: process.ppid },
      { ...dead, pid: process.pid },
    ];
    for (const owner of owners) {
      const saved = progress({ counts: { owner } });
      expect(await readInterrupted(serve(saved))).toMatchObject({ undoSize: 7 });
    }
  });

  it('may be gone once the lock of the server is ours', async () => {
    const server = serve(progress(), async () => {
      (server as ToyServer).state.progress = undefined;
    });
    expect(await readInterrupted(server)).toBeUndefined();
    let claims = 0;
    const free = serve(undefined, async () => {
      claims++;
    });
    await readInterrupted(free);
    // Without progress, nothing was interrupted.
    expect(claims).toBe(0);
  });
});

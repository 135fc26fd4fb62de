/** Other writers, locks, other runs, and failures: no update is lost, and what was done stays. */
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { BusyError, OutputError } from '@utf8/dump';
import { nameLock } from '@utf8/files';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choose, scale, seed } from '../../../tooling/tiers/tier.js';
import { LockError } from '../src/server/lock-error.js';
import { checkUndo, type RevertDatabaseOptions } from '../src/undo/run-undo.js';
import { formatLine, parseLine } from '../src/undo-log/line.js';
import { createTables, dump, repair, row, target, text, undo, useFolder } from './toy-run.js';
import { Kill, ToyServer, type ToyTable } from './toy-server.js';

const path = useFolder();
let undoLogs = 0;
const newUndoLog = (): string => path(`undo-log${undoLogs++}`);

const createRows = (count: number): ToyTable[] => [
  {
    name: 'people',
    columns: [{ name: 'name' }, { name: 'note' }],
    rows: Array.from({ length: count }, (_, i) => row(i, { name: `n${i}☠`, note: '☠' })),
  },
];

/** Calls a function when a point is passed for the n-th time, from 0. */
function at(server: ToyServer, point: string, n: number, act: () => void): void {
  let count = 0;
  server.hook = (each) => {
    if (each === point && count++ === n) act();
  };
}

describe('another writer', () => {
  it('is first: its value stays, and the row is judged again', async () => {
    const server = new ToyServer(createRows(7));
    // After the page was read for the second time, by the repair.
    at(server, 'begin', 1, () =>
      server.write(({ people = [] }) => {
        Object.assign(people[0] as object, { name: text('other') });
        Object.assign(people[1] as object, { name: text('other☠') });
        people.splice(2, 1);
      }),
    );
    const undoLog = newUndoLog();
    const report = await repair(server, { undo: undoLog });
    const rows = server.state.tables.people ?? [];
    expect(rows.slice(0, 3)).toEqual([
      row(0, { name: 'other', note: '😀' }),
      row(1, { name: 'other😀', note: '😀' }),
      row(3, { name: 'n3😀', note: '😀' }),
    ]);
    expect(report.repaired).toMatchObject({ rows: 6, overtaken: 3 });
    expect(report.left?.candidates).toBe(0);
    expect((await undo(server, undoLog)).kept).toBe(0);
    expect(rows[0]).toEqual(row(0, { name: 'other', note: '☠' }));
  });

  it('changes a value after the repair: an undo keeps it, and restores the others of the row', async () => {
    const server = new ToyServer(createRows(4));
    const undoLog = newUndoLog();
    await repair(server, { undo: undoLog });
    server.write(({ people = [] }) => {
      Object.assign(people[1] as object, { name: text('mine') });
      people.splice(3, 1);
    });
    expect(await undo(server, undoLog)).toMatchObject({ restored: 5, kept: 3, refused: 0 });
    expect(server.state.tables.people).toEqual([
      row(0, { name: 'n0☠', note: '☠' }),
      row(1, { name: 'mine', note: '☠' }),
      row(2, { name: 'n2☠', note: '☠' }),
    ]);
  });

  it('is first, and the run is killed at any point', async () => {
    const start = () => {
      const server = new ToyServer(createRows(7));
      let count = 0;
      const hook = (kill: number) => (each: string) => {
        const { people = [] } = server.state.tables;
        const isUntouched = Buffer.from(people[1]?.name as Uint8Array).equals(text('n1☠'));
        if (each === 'begin' && server.state.progress && isUntouched) {
          server.write(({ people = [] }) =>
            Object.assign(people[1] as object, { name: text('w☠') }),
          );
        }
        if (count++ === kill) throw new Kill();
      };
      return { server, hook, count: () => count };
    };
    const plain = start();
    plain.server.hook = plain.hook(-1);
    const { repaired } = await repair(plain.server, { undo: newUndoLog() });
    expect(repaired).toMatchObject({ rows: 7, overtaken: 1 });
    for (const kill of choose([...Array(plain.count()).keys()], scale(60))) {
      const { server, hook } = start();
      server.hook = hook(kill);
      const undoLog = newUndoLog();
      await expect(repair(server, { undo: undoLog })).rejects.toThrow(Kill);
      const next = server.restart();
      await repair(next, { undo: undoLog, resume: true });
      const isTouched = Buffer.from(next.state.tables.people?.[1]?.name as Uint8Array).equals(
        text('w😀'),
      );
      if (isTouched) expect(dump(next), `point ${kill}`).toBe(dump(plain.server));
      const all = next.state.tables.people?.every(({ note }) =>
        Buffer.from(note as Uint8Array).equals(text('😀')),
      );
      expect(all, `point ${kill}`).toBe(true);
      expect((await undo(next, undoLog)).kept).toBe(0);
    }
  });

  it('writes at any time: none of its values is lost, and all that it left is repaired or reported', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            point: fc.nat({ max: 60 }),
            id: fc.nat({ max: 8 }),
            kind: fc.nat({ max: 3 }),
          }),
          { maxLength: 12 },
        ),
        fc.integer({ min: 1, max: 5 }),
        async (writes, batch) => {
          const server = new ToyServer(createRows(9));
          const owned = new Map<number, string | undefined>();
          let count = 0;
          let isOpen = false;
          let [written, committed] = [0, 0];
          server.hook = (point) => {
            if (point === 'begin') isOpen = true;
            if (point === 'after commit') committed = count;
            if (/commit|read/.test(point)) isOpen = false;
            for (const { id, kind } of writes.filter((each) => each.point === count)) {
              // A row that a transaction may have changed is locked until its end.
              if (isOpen && point !== 'begin') continue;
              const value = [undefined, `w${count}`, `w${count}☠`, `☠${count}`][kind];
              server.write((tables) => {
                const rows = tables.people ?? [];
                const index = rows.findIndex((each) => each.id === id);
                if (index === -1) return;
                owned.set(id, value);
                written = count;
                if (value) Object.assign(rows[index] as object, { name: text(value) });
                else rows.splice(index, 1);
              });
            }
            count++;
          };
          const undoLog = newUndoLog();
          const report = await repair(server, { undo: undoLog, batch });
          server.hook = () => {};
          const find = (id: number) => server.state.tables.people?.find((each) => each.id === id);
          for (const [id, value] of owned) {
            const name = find(id)?.name;
            const results = value ? [text(value), text(value.replace('☠', '😀'))] : [undefined];
            expect(results).toContainEqual(name);
          }
          const left = server.state.tables.people?.filter(({ name, note }) =>
            [name, note].some((each) => Buffer.from(each as Uint8Array).includes(0xed)),
          );
          // Rows may change during the second scan after it has read them.
          if (written < committed) expect(report.left?.candidates).toBe(left?.length);
          await undo(server, undoLog);
          for (const [id, value] of owned) expect(find(id)?.name).toEqual(value && text(value));
          for (let id = 0; id < 9; id++) {
            if (!owned.has(id)) expect(find(id)).toEqual(row(id, { name: `n${id}☠`, note: '☠' }));
          }
          rmSync(undoLog, { force: true });
        },
      ),
      { seed, numRuns: scale(150) },
    ));
});

describe('locks', () => {
  /** Locks the first batch, which comes after the transaction that says that a run has begun. */
  const lock = (server: ToyServer, point: string, times: number) => {
    let left = times;
    let transactions = 0;
    server.hook = (each) => {
      if (each === 'begin') transactions++;
      if (transactions > 1 && each === point && left-- > 0) {
        throw new LockError('people: is locked');
      }
    };
  };

  it.each([
    'begin',
    'before change',
    'after change',
    'before progress',
    'after progress',
    'before commit',
  ])('at %s: the batch is tried again', async (point) => {
    const server = new ToyServer(createRows(7));
    const plain = new ToyServer(createRows(7));
    const [undoLog, other] = [newUndoLog(), newUndoLog()];
    await repair(plain, { undo: other });
    lock(server, point, 4);
    const waits: number[] = [];
    await repair(server, { undo: undoLog }, { sleep: async (time) => waits.push(time) });
    expect(dump(server)).toBe(dump(plain));
    expect(readFileSync(undoLog)).toEqual(readFileSync(other));
    expect(waits).toEqual([100, 200, 400, 800]);
  });

  it.each(['repair', 'undo'])(
    'at the end of a %s: its progress is removed in the end',
    async (work) => {
      const server = new ToyServer(createRows(7));
      const undoLog = newUndoLog();
      if (work === 'undo') await repair(server, { undo: undoLog });
      let left = 4;
      server.hook = (each) => {
        if (each === 'before clear' && left-- > 0) throw new LockError('utf8_repair: is locked');
      };
      await (work === 'undo' ? undo(server, undoLog) : repair(server, { undo: undoLog }));
      expect(left).toBe(-1);
      expect(server.state.progress).toBeUndefined();
    },
  );

  it('that last end the run with one sentence, and it can be resumed', async () => {
    const server = new ToyServer(createRows(7));
    const undoLog = newUndoLog();
    let count = 0;
    server.hook = (each) => {
      if (each === 'before commit' && count++ >= 2) throw new LockError('people: is locked');
    };
    const failed = repair(server, { undo: undoLog });
    await expect(failed).rejects.toThrow(OutputError);
    await expect(failed).rejects.toThrow(
      'people: is locked; tried 5 times; progress was saved; try again with `resume` when fewer programs write',
    );
    server.hook = () => {};
    expect(existsSync(nameLock(undoLog))).toBe(false);
    const report = await repair(server, { undo: undoLog, resume: true });
    expect(report.repaired).toMatchObject({ rows: 7, values: 14 });
  });
});

describe('another run', () => {
  it('of the same undo log is refused while it goes on', async () => {
    const undoLog = newUndoLog();
    const server = new ToyServer(createRows(4));
    let other: Promise<unknown> | undefined;
    at(server, 'before change', 0, () => {
      other = repair(new ToyServer(createRows(4)), { undo: undoLog, resume: true });
      other.catch(() => {});
    });
    await repair(server, { undo: undoLog });
    await expect(other).rejects.toThrow(BusyError);
    await expect(other).rejects.toThrow(`process ${process.pid} is writing this file`);
  });

  it('of another undo log ends the one that finds it', async () => {
    const server = new ToyServer(createRows(7));
    at(server, 'after commit', 1, () => {
      const { progress } = server.state;
      if (progress) Object.assign(progress.counts, { run: 'other' });
    });
    const before = server.state;
    await expect(repair(server, { undo: newUndoLog() })).rejects.toThrow(BusyError);
    expect(before.progress).toBeDefined();
  });

  it('that was interrupted has to be resumed, with the same options and undo log', async () => {
    const server = new ToyServer(createTables());
    const undoLog = newUndoLog();
    at(server, 'before commit', 3, () => {
      throw new Kill();
    });
    await expect(repair(server, { undo: undoLog })).rejects.toThrow(Kill);
    const next = server.restart();
    const before = dump(next);
    const refused = async (extra: object, message: string) =>
      await expect(repair(next, { undo: undoLog, ...extra })).rejects.toThrow(message);
    await refused({}, 'resume it with its undo log');
    await refused({ resume: true, nul: 'keep' }, 'use the same ones to resume it');
    await refused({ resume: true, undo: newUndoLog() }, 'no such file');
    const other = newUndoLog();
    writeFileSync(other, readFileSync(undoLog, 'utf8').replace('c', 'd'));
    await refused({ resume: true, undo: other }, 'is not the undo log of a repair');
    writeFileSync(other, readFileSync(undoLog, 'utf8').replace('"new":"', '"new":"00'));
    await refused({ resume: true, undo: other }, ':2: is damaged');
    writeFileSync(other, readFileSync(undoLog));
    truncateSync(other, (next.state.progress?.undoSize ?? 0) - 1);
    await refused({ resume: true, undo: other }, 'is not the undo log of the interrupted run');
    await expect(undo(next, other)).rejects.toThrow('is not the undo log of the interrupted run');
    expect(dump(next)).toBe(before);
    // A dry run looks at what is there.
    expect((await repair(next, {})).found?.candidates).toBeGreaterThan(0);
    expect((await repair(next, { undo: undoLog, resume: true })).repaired?.rows).toBeGreaterThan(0);
  });
});

describe('files', () => {
  it('an undo log that exists is kept', async () => {
    const undoLog = newUndoLog();
    writeFileSync(undoLog, 'precious');
    const server = new ToyServer(createRows(2));
    await expect(repair(server, { undo: undoLog })).rejects.toThrow('exists; choose another file');
    await expect(repair(server, { undo: undoLog, resume: true })).rejects.toThrow(
      'is not the undo log of a repair',
    );
    expect(readFileSync(undoLog, 'utf8')).toBe('precious');
  });

  it('the undo log of a run that has ended is kept', async () => {
    const undoLog = newUndoLog();
    const server = new ToyServer(createRows(2));
    await repair(server, { undo: undoLog });
    const lines = readFileSync(undoLog);
    const notices: string[] = [];
    const onNotice = (each: string) => notices.push(each);
    const report = await repair(server, { undo: undoLog, resume: true, onNotice });
    expect(report).toMatchObject({ repaired: null, left: { candidates: 0 } });
    expect(notices).toEqual([`${undoLog}: its run has finished; nothing to resume`]);
    expect(readFileSync(undoLog)).toEqual(lines);
  });

  it('a run that changes nothing leaves no undo log that would stop the next run', async () => {
    const undoLog = newUndoLog();
    const server = new ToyServer(createRows(2));
    await repair(server, { undo: newUndoLog() });
    for (let time = 0; time < 2; time++) {
      expect((await repair(server, { undo: undoLog })).repaired?.values).toBe(0);
      expect([existsSync(undoLog), existsSync(nameLock(undoLog))]).toEqual([false, false]);
    }
    expect(server.state.progress).toBeUndefined();
  });

  it('an undo log that another program shortens ends the run before a commit', async () => {
    const undoLog = newUndoLog();
    const server = new ToyServer(createRows(7));
    at(server, 'before change', 4, () => truncateSync(undoLog, 10));
    const failed = repair(server, { undo: undoLog });
    await expect(failed).rejects.toThrow('was changed by another program');
    expect(server.state.tables.people?.[3]).toEqual(row(3, { name: 'n3☠', note: '☠' }));
  });

  it('nothing is left if what was found is refused, or if the database cannot be read', async () => {
    for (const point of ['read', 'onLook']) {
      const undoLog = newUndoLog();
      const server = new ToyServer(createRows(4));
      const fail = () => {
        throw new Error('no');
      };
      if (point === 'read') at(server, 'read', 1, fail);
      const onLook = point === 'onLook' ? fail : () => {};
      await expect(repair(server, { undo: undoLog, onLook })).rejects.toThrow('no');
      expect(existsSync(undoLog)).toBe(false);
      expect(existsSync(nameLock(undoLog))).toBe(false);
      expect(server.state.progress).toBeUndefined();
    }
  });
});

describe('an undo', () => {
  it.each([
    [['equal-keys'], 'equal-keys cannot be allowed here'],
    [['collision'], 'unknown hazard "collision"'],
  ])('refuses %j', (hazards, message) => {
    const allow = hazards as RevertDatabaseOptions['allow'];
    const check = () => checkUndo({ url: '', undo: 'j', allow }, target);
    expect(check).toThrow(message);
  });

  it('refuses an undo log of another database, and one that is damaged, before it writes', async () => {
    const undoLog = newUndoLog();
    const server = new ToyServer(createRows(3));
    await repair(server, { undo: undoLog });
    const before = dump(server);
    const lines = readFileSync(undoLog, 'utf8');
    const refused = async (text: string, message: string) => {
      writeFileSync(undoLog, text);
      await expect(undo(server, undoLog)).rejects.toThrow(message);
      expect(dump(server)).toBe(before);
    };
    const [head = '', first = '', ...rest] = lines.split(/(?<=\n)/);
    /** A line that says something else, with its checksum. */
    const other = (from: string, to: string): string => {
      const line = parseLine(first.trimEnd());
      return head + formatLine(JSON.parse(JSON.stringify(line).replace(from, to)));
    };
    await refused(other('"people"', '"others"'), 'is about others.name');
    await refused(other('"name"', '"nick"'), 'is about people.nick');
    await refused(other('{"id":', '{"no":'), 'key no, which this database does not have');
    await refused(lines.replace('"old":"', '"old":"x'), ':2: is damaged');
    await refused(lines.replace(/"old":"../, '"old":"00'), ':2: is damaged');
    await refused(lines.replace('"from":"c', '"from":"d'), 'is not the undo log of a repair');
    await refused('', 'before it changed anything');
    await refused('{"undoLog":1}\n', 'another version');
    await refused('id,name\n', 'is not the undo log of a repair');
    await refused([head, ...rest].join(''), 'is damaged');
    for (let cut = lines.length - 1; cut > head.length; cut -= 7) {
      await refused(lines.slice(0, cut), 'is incomplete: it was cut short');
    }
    for (let count = 0; count <= rest.length; count++) {
      const kept = [head, first, ...rest].slice(0, 1 + count).join('');
      await refused(kept, 'is incomplete: it was cut short');
    }
    writeFileSync(undoLog, lines);
    expect(await undo(server, undoLog)).toMatchObject({ restored: 6, kept: 0 });
    // Once more, nothing is left to do.
    expect(await undo(server, undoLog)).toMatchObject({ restored: 0, kept: 6 });
  });

  it('of an interrupted run accepts exactly what was committed, and can be repeated', async () => {
    const undoLog = newUndoLog();
    const server = new ToyServer(createRows(7));
    const before = dump(server);
    at(server, 'before commit', 3, () => {
      throw new Kill();
    });
    await expect(repair(server, { undo: undoLog })).rejects.toThrow(Kill);
    const next = server.restart();
    const { undoSize: size = 0 } = next.state.progress ?? {};
    const whole = readFileSync(undoLog);
    expect(size).toBeLessThan(whole.length);
    const after = dump(next);
    writeFileSync(undoLog, whole.subarray(0, size - 1));
    await expect(undo(next, undoLog)).rejects.toThrow('is not the undo log of the interrupted run');
    expect(dump(next)).toBe(after);
    writeFileSync(undoLog, whole);
    const { restored } = await undo(next, undoLog);
    expect(dump(next)).toBe(before);
    expect(await undo(next, undoLog)).toMatchObject({ restored: 0, kept: restored });
  });

  it('of a run whose progress was removed from the database is refused, and so is its resumption', async () => {
    const undoLog = newUndoLog();
    const server = new ToyServer(createRows(7));
    at(server, 'before commit', 3, () => {
      throw new Kill();
    });
    await expect(repair(server, { undo: undoLog })).rejects.toThrow(Kill);
    const next = server.restart();
    await next.clearProgress();
    const after = dump(next);
    await expect(undo(next, undoLog)).rejects.toThrow('the progress is no longer in this database');
    await expect(repair(next, { undo: undoLog, resume: true })).rejects.toThrow('is incomplete');
    expect(dump(next)).toBe(after);
  });

  it('of which the rest is interrupted cannot become a repair', async () => {
    const undoLog = newUndoLog();
    const server = new ToyServer(createRows(5));
    await repair(server, { undo: undoLog });
    at(server, 'after commit', 0, () => {
      throw new Kill();
    });
    await expect(undo(server, undoLog)).rejects.toThrow(Kill);
    const next = server.restart();
    const again = repair(next, { undo: newUndoLog() });
    await expect(again).rejects.toThrow('a revert was interrupted in this database');
    const done: number[] = [];
    await undo(next, undoLog, { onProgress: (bytes) => done.push(bytes) });
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(next.state.tables.people).toEqual(createRows(5)[0]?.rows);
  });
});

it('a page at a time is in memory, and progress is saved among clean pages', async () => {
  const rows = Array.from({ length: 700 }, (_, i) =>
    row(i, { name: i === 0 || i === 699 ? '☠' : 'n', note: '' }),
  );
  const server = new ToyServer([
    { name: 'people', columns: [{ name: 'name' }, { name: 'note' }], rows },
  ]);
  let commits = 0;
  server.hook = (point) => {
    if (point === 'after commit') commits++;
  };
  const done: [number, number | undefined][] = [];
  const onProgress = (rows: number, total: number | undefined) => done.push([rows, total]);
  const sleeps: number[] = [];
  const report = await repair(
    server,
    { undo: newUndoLog(), batch: 2, pause: 7, onProgress },
    { sleep: async (time) => sleeps.push(time) },
  );
  expect(report.repaired).toMatchObject({ rows: 2 });
  expect(server.most).toBe(2);
  // The claim, two batches, and each 64 clean pages.
  expect(commits).toBe(1 + 2 + 5);
  expect(sleeps).toEqual([7, 7]);
  expect(done.at(-1)).toEqual([2100, 2100]);
});

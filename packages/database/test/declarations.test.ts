/** Columns that contain UTF-8 and are declared in another character set, in a server that has nothing else. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Declaration, Misdeclaration } from '../src/server/declaration.js';
import type { Table } from '../src/server/table.js';
import { dump, repair, row, text, undo, useFolder } from './toy-run.js';
import { ToyServer, type ToyTable } from './toy-server.js';

const path = useFolder();

const post: ToyTable = {
  name: 'post',
  columns: [{ name: 'title', type: 'varchar(9)' }],
  rows: [row(1, { title: 'é' }), row(2, { title: 'a' }), { id: 3, title: new Uint8Array([0xe9]) }],
};

/** A server whose column is in `latin1`, until it is declared anew. */
class LegacyServer extends ToyServer {
  charset = 'latin1 x';
  readonly changes: Declaration[] = [];
  refuses = false;

  async findMisdeclared({ name }: Table): Promise<Misdeclaration[]> {
    if (this.charset !== 'latin1 x' || name !== 'post') return [];
    const characters = Array.from({ length: 128 }, (_, i) => String.fromCharCode(0x80 + i));
    return [
      {
        column: 'title',
        type: 'varchar(9)',
        charset: 'latin1',
        utf8: 1,
        others: 1,
        characters,
        declaration: { old: 'latin1 x', new: 'utf8mb4 y' },
        refusal: undefined,
        examples: { utf8: [], others: [] },
      },
    ];
  }

  async redeclare(_: string, declaration: Declaration, isInterrupted = false): Promise<boolean> {
    if (isInterrupted || this.charset === declaration.to) return false;
    this.changes.push(declaration);
    this.charset = declaration.to;
    return true;
  }
}

const asked = { mojibake: 'repair', allow: ['narrow-column'] } as const;

describe('a column that is declared in another character set', () => {
  it('is only reported, unless a repair of mojibake may alter columns', async () => {
    for (const options of [{}, { mojibake: 'repair' }, { allow: asked.allow }] as const) {
      const server = new LegacyServer([post]);
      const before = dump(server);
      const report = await repair(server, { ...options, undo: path('none.jsonl') });
      expect(report.found?.tables[0]?.declarations).toMatchObject([{ utf8: 1, action: 'skip' }]);
      expect(server.changes).toEqual([]);
      if (options.mojibake === 'repair') expect(dump(server)).toBe(before);
    }
  });

  it('is declared after its values, which an undo restores in reverse', async () => {
    const server = new LegacyServer([post]);
    const before = dump(server);
    const undoLog = path('post.jsonl');
    const report = await repair(server, { ...asked, undo: undoLog });
    expect(report).toMatchObject({ repaired: { values: 1, declared: 1 }, left: { candidates: 0 } });
    expect(server.state.tables.post?.[2]?.title).toEqual(text('é'));
    expect(readFileSync(undoLog, 'utf8').split('\n').at(-3)).toContain('"declares":"varchar(9)"');
    await undo(server, undoLog);
    expect(server.charset).toBe('latin1 x');
    expect(dump(server)).toBe(before);
  });

  it('stops a run that is told to', async () => {
    const server = new LegacyServer([post]);
    const options = { mojibake: 'repair', stopAt: ['narrow-column'] } as const;
    const { stopped, repaired } = await repair(server, { ...options, undo: path('stop.jsonl') });
    expect(stopped).toMatchObject({ table: 'post', hazard: 'narrow-column' });
    expect(repaired).toBeNull();
  });
});

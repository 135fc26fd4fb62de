/** Files that cannot be repaired, and programs that are missing. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { open } from '../../../../../packages/database/src/server/sqlite/sqlite.js';
import { loadBetterSqlite3 } from '../../../../../packages/database/src/server/sqlite/sqlite-driver.js';
import type { Table } from '../../../../../packages/database/src/server/table.js';
import { run } from '../program.js';
import { bytes, failure, folder, load, make, PAIR, text, use } from './session.js';
import { readRows, repairAll, shell } from './walk.js';

export function defineUnusableFiles(): void {
  describe(`files that cannot be repaired`, () => {
    const tried = async (name: string, content?: Uint8Array): Promise<string> => {
      const file = join(folder, name);
      if (content) writeFileSync(file, content);
      return failure(open(file, {}, load()));
    };
    const damagedFile = (): string =>
      make(`CREATE TABLE t (a TEXT); INSERT INTO t VALUES (${text(PAIR)});`);

    it('are named in one sentence', async () => {
      expect(await tried('missing.db')).toBe(
        'InputError: /missing.db: no such file; check the name',
      );
      expect(existsSync(join(folder, 'missing.db'))).toBe(false);
      expect(await tried('.')).toMatch(/is a directory; specify a file in it$/);
      expect(await tried('text.db', Buffer.from('id,name\n'.repeat(1024)))).toBe(
        'InputError: /text.db: is not an SQLite database, or is encrypted; check the name, or decrypt it first',
      );
      const random = Uint8Array.from(
        { length: 4096 },
        (_, i) => Math.imul(i + 7, 2654435761) >>> 24,
      );
      expect(await tried('secret.db', random)).toBe(
        'InputError: /secret.db: is encrypted, or not an SQLite database; decrypt it into a copy first',
      );
      const wide = make("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (a TEXT);");
      expect(await failure(open(wide, {}, load()))).toMatch(
        /^InputError: .*: its text is UTF-16le, so it contains no UTF-8 to repair; convert it with sqlite3 FILE .dump$/,
      );
      const file = damagedFile();
      const content = readFileSync(file);
      content.fill(0x55, 100, 1000);
      expect(await tried('broken.db', content)).toMatch(
        /^InputError: \/broken.db: is damaged \(.*\); recover it first: sqlite3 FILE .recover$/,
      );
    });

    it('need a driver', () => {
      const suffix = Number.parseInt(process.versions.node, 10) < 22 ? '@12' : '';
      const loaded = (project: string): string => {
        try {
          loadBetterSqlite3(join(folder, project, 'index.js'));
          return 'loaded';
        } catch (error) {
          return `${(error as Error).name}: ${(error as Error).message}`;
        }
      };
      expect(loaded('none')).toBe(
        `UsageError: better-sqlite3 is not installed; run npm install better-sqlite3${suffix}, or use Node 22.13 or later`,
      );
      const install = (project: string, manifest: object, source: string): void => {
        const target = join(folder, project, 'node_modules', 'better-sqlite3');
        mkdirSync(target, { recursive: true });
        writeFileSync(join(target, 'package.json'), JSON.stringify(manifest));
        writeFileSync(join(target, 'index.js'), source);
      };
      install('newer', { version: '99.0.0', engines: { node: '>=99' } }, '');
      expect(loaded('newer')).toBe(
        `UsageError: better-sqlite3 99.0.0 requires Node 99; run npm install better-sqlite3${suffix}, or use Node 22.13 or later`,
      );
      install(
        'broken',
        { version: '99.0.1' },
        "throw new Error('was compiled against another Node\\nand so on')",
      );
      expect(loaded('broken')).toBe(
        'UsageError: better-sqlite3 does not load (was compiled against another Node); run npm rebuild better-sqlite3, or use Node 22.13 or later',
      );
    });

    it('are no files in memory, and may be empty', async () => {
      expect(await failure(open(':memory:', {}, load()))).toMatch(/no such file/);
      const empty = join(folder, 'empty.db');
      writeFileSync(empty, '');
      await use(empty, async (server, tables) => {
        expect([tables.size, await server.checkIntegrity()]).toEqual([0, []]);
      });
    });

    it('are locked, and stay as they are', async () => {
      const file = damagedFile();
      const other = load()(file);
      try {
        await use(file, async (server) => {
          other.exec('BEGIN IMMEDIATE');
          expect(await failure(repairAll(server))).toMatch(
            /^LockError: .*: is locked by another program; stop it, or raise the lock timeout$/,
          );
          other.exec('COMMIT');
          expect((await repairAll(server)).length).toBe(1);
          other.exec('BEGIN EXCLUSIVE');
          expect(await failure(server.listTables())).toMatch(/^LockError/);
          other.exec('COMMIT');
        });
      } finally {
        other.close();
      }
    });

    it('have no lock left after a page that was cut', async () => {
      const file = make(
        `CREATE TABLE t (a TEXT); INSERT INTO t VALUES ${Array(9).fill(`(CAST(X'${PAIR}' || zeroblob(2000000) AS TEXT))`).join()};`,
      );
      await use(file, async (server, tables) => {
        const t = tables.get('t') as Table;
        expect((await server.readPage(t, t.columns, undefined, 9)).isLast).toBe(false);
        const { status, stderr } = run('sqlite3', ['-batch', file], 'BEGIN EXCLUSIVE; COMMIT;');
        expect([status, stderr]).toEqual([0, '']);
      });
    });

    it('are full, and nothing of the transaction stays', async () => {
      const file = make(
        `CREATE TABLE t (a TEXT); INSERT INTO t VALUES (${text(PAIR)}), (CAST(X'${PAIR}' AS TEXT) || hex(zeroblob(3000)));`,
      );
      const before = readFileSync(file);
      const full = use(
        file,
        async (server, tables) => {
          const t = tables.get('t') as Table;
          await server.transact(async (transaction) => {
            const [column] = t.columns;
            await transaction.change(
              t,
              [1],
              [{ column: column!, old: bytes(PAIR), new: Buffer.alloc(1e6, 'a') }],
            );
          });
        },
        { configure: (connection) => connection.exec('PRAGMA max_page_count = 1') },
      );
      expect(await failure(full)).toMatch(
        /^OutputError: .*: no space left on the device; free some space$/,
      );
      expect(readFileSync(file).equals(before)).toBe(true);
      expect(shell(file, 'PRAGMA integrity_check;')).toBe('ok\n');
    });

    it('are read-only, but can be looked at', async () => {
      const file = damagedFile();
      await use(
        file,
        async (server, tables) => {
          const t = tables.get('t') as Table;
          expect((await readRows(server, t, 10)).rows.length).toBe(1);
          expect(await failure(repairAll(server))).toMatch(
            /^OutputError: .*: is read-only; change the permissions of the file and its folder, or run as a user with access$/,
          );
        },
        { configure: (connection) => connection.exec('PRAGMA query_only = ON') },
      );
    });

    it('belong to another user', async (context) => {
      // Threads, in which mutants are judged, cannot change their user.
      if (process.getuid?.() !== 0 || !isMainThread) context.skip();
      const shared = mkdtempSync('/tmp/utf8-sqlite-');
      try {
        run('chmod', ['755', shared]);
        const file = join(shared, 'a.db');
        copyFileSync(damagedFile(), file);
        load();
        process.seteuid?.(65_534);
        const sentence = await use(file, (server) => failure(repairAll(server)));
        expect(sentence).toMatch(/^OutputError: .*: is read-only; change the permissions/);
      } finally {
        process.seteuid?.(0);
        rmSync(shared, { recursive: true });
      }
    });
  });
}

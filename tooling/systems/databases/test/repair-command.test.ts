/** `utf8 repair` with a real MariaDB and a real PostgreSQL; SQLite is in the tests of the command. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { choose } from '../../../tiers/tier.js';
import { MariaDb } from '../src/mariadb.js';
import { Postgres } from '../src/postgres.js';
import { drivers, program } from '../src/utf8.js';

const atSync = fileURLToPath(new URL('../src/at-sync.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'utf8-repair-command-'));
const path = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PAIR = 'EDA0BDEDB880';
const SMILE = 'F09F9880';
const SECRET = 'do-not-show-me';

interface Database {
  readonly name: string;
  start(): Promise<Started>;
}

/** A server with a database `shop`, whose tables are `goods` and `tags`. */
interface Started {
  readonly url: string;
  /** With a password that is wrong. */
  readonly locked: string;
  readonly notFound: string;
  /** Advice about the password that the next command line leaves out. */
  readonly advice: string;
  ask(query: string): string;
  stop(): Promise<void>;
}

const mariadb: Database = {
  name: 'MariaDB',
  async start() {
    const server = await MariaDb.start();
    server.demand(`CREATE DATABASE shop CHARACTER SET utf8mb4; USE shop;
      CREATE TABLE goods (id INT PRIMARY KEY, name VARCHAR(40), note TEXT);
      INSERT INTO goods SELECT seq, CONCAT(X'${PAIR}', seq), 'plain' FROM seq_1_to_300;
      UPDATE goods SET note = X'EDA0BD' WHERE id = 7;
      CREATE TABLE tags (tag VARCHAR(20) PRIMARY KEY);
      INSERT INTO tags VALUES (X'${PAIR}'), (X'${SMILE}');
      CREATE USER guest@localhost IDENTIFIED BY 'right'; GRANT ALL ON shop.* TO guest@localhost;`);
    const query = `?socketPath=${server.socket}`;
    return {
      url: `mariadb://root@localhost/shop${query}`,
      locked: `mariadb://guest:${SECRET}@localhost/shop${query}`,
      notFound: `mariadb://root@localhost/none${query}`,
      advice: 'set MYSQL_PWD',
      ask: (text) => server.demand(text, 'shop').toString('latin1').trimEnd(),
      stop: () => server.stop(),
    };
  },
};

const postgres: Database = {
  name: 'PostgreSQL',
  async start() {
    const server = await Postgres.start();
    const ask = (text: string): string =>
      server.demand(text, '-d', 'shop').toString('latin1').trimEnd();
    server.demand("CREATE DATABASE shop ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0");
    const text = (hex: string) => `convert_from(decode('${hex}', 'hex'), 'SQL_ASCII')`;
    ask(`CREATE TABLE goods (id int PRIMARY KEY, name varchar(40), note text);
      INSERT INTO goods SELECT i, ${text(PAIR)} || i, 'plain' FROM generate_series(1, 300) i;
      UPDATE goods SET note = ${text('EDA0BD')} WHERE id = 7;
      CREATE TABLE tags (tag varchar(20) PRIMARY KEY);
      INSERT INTO tags VALUES (${text(PAIR)}), (${text(SMILE)});
      CREATE ROLE guest LOGIN PASSWORD 'right'`);
    const access = join(server.folder, 'data', 'pg_hba.conf');
    writeFileSync(access, `local all guest scram-sha-256\n${readFileSync(access, 'utf8')}`);
    ask('SELECT pg_reload_conf()');
    return {
      url: server.url('shop'),
      locked: `postgres://guest:${SECRET}@/shop?host=${server.folder}`,
      notFound: server.url('none'),
      advice: 'set PGPASSWORD, or use ~/.pgpass',
      ask,
      stop: () => server.stop(),
    };
  },
};

interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The drivers are those of the library. */
const begin = (args: readonly string[], env: NodeJS.ProcessEnv = {}, command = 'repair') =>
  spawn(process.execPath, [program, command, ...args], {
    env: {
      ...process.env,
      NODE_PATH: '',
      NODE_OPTIONS: '',
      UTF8_DRIVERS: drivers,
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });

async function finish(child: ReturnType<typeof begin>): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const [status, signal] = await once(child, 'close');
  // A password is never shown where it is requested.
  expect(stdout + stderr).not.toContain(SECRET);
  return { status, signal, stdout, stderr };
}

/** Returns the environment that stops a run at a synchronization of its undo log. */
const stop = (at: number, by?: NodeJS.Signals): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--require ${atSync}`,
  STOP_AT: `${at}`,
  STOP_BY: by,
});

const repair = (args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended> =>
  finish(begin(args, env));
const scan = (args: readonly string[]): Promise<Ended> => finish(begin(args, {}, 'scan'));
const revert = (args: readonly string[]): Promise<Ended> => finish(begin(args, {}, 'revert'));

// The rest of the command is the same for both.
for (const database of choose([mariadb, postgres], 1)) {
  const { url, locked, notFound, advice, ask, stop: end } = await database.start();
  afterAll(end);

  describe(`utf8 repair with ${database.name}`, () => {
    const undoLog = path(`${database.name}.jsonl`);
    const hex = database === mariadb ? 'HEX' : 'textsend';
    const all = (): string =>
      `${ask(`SELECT id, ${hex}(name), ${hex}(note) FROM goods ORDER BY id`)}\n${ask(`SELECT ${hex}(tag) FROM tags ORDER BY 1`)}`;

    it('looks, and writes nothing', async () => {
      const before = all();
      const { status, stdout, stderr } = await scan([url]);
      expect([status, stderr]).toEqual([1, '']);
      expect(stdout).toMatch(new RegExp(`^${database.name} .*: cesu-8\\+utf-8 to utf-8\\n`));
      expect(stdout).toContain('302 rows in 2 tables: 299 would change, 2 would be skipped\n');
      expect(stdout).toMatch(/\ngoods {2}300 {3}name {4}\S.* 300 +0 +pair 300\n/);
      expect(stdout).toContain('  id 1, offset 0: ED A0 BD ED B8 80 becomes F0 9F 98 80\n');
      expect(stdout).toMatch(
        /hazard in tags\.tag: equal-keys \(.*\): 1 row skipped; --allow equal-keys/,
      );
      expect(stdout).toMatch(/\nNext: utf8 repair .* --undo shop\.undo\.jsonl\n$/);
      expect(all()).toBe(before);
    });

    it('killed between undo log and commit, resumes, proves and undoes', async () => {
      const before = all();
      const args = [url, '--undo', undoLog, '--batch', '20', '--allow', 'equal-keys'];
      const words = [...args, '--unpaired-surrogates', 'escape'];
      for (const [i, at] of [5, 1, 6].entries()) {
        const more = i > 0 ? ['--resume'] : [];
        const { signal, stderr } = await repair([...words, ...more], stop(at, 'SIGKILL'));
        expect(signal, stderr).toBe('SIGKILL');
      }
      const { status, stdout, stderr } = await repair([...words, '--resume']);
      expect([status, stderr]).toEqual([
        0,
        'utf8: resuming in goods; the changes of the interrupted run are kept\n',
      ]);
      expect(stdout).toContain(
        '\nrepaired: 302 values in 301 rows; 1 row got a suffix\nleft: nothing\n',
      );
      expect(ask(`SELECT ${hex}(name) FROM goods WHERE id = 1`).toUpperCase()).toContain(
        `${SMILE}31`,
      );
      expect(readFileSync(undoLog, 'utf8').trimEnd().split('\n')).toHaveLength(304);
      const look = await scan([url]);
      expect([look.status, look.stdout]).toEqual([0, expect.stringContaining('nothing found')]);
      const undo = await revert([url, '--undo', undoLog]);
      expect([undo.status, undo.stdout]).toEqual([
        0,
        expect.stringMatching(/\nrestored: 302 values\n$/),
      ]);
      expect(all()).toBe(before);
    });

    it('ends at Ctrl-C, and can be resumed', async () => {
      const before = all();
      const file = `${undoLog}.2`;
      const args = [url, '--undo', file, '--batch', '10', '--table', 'goods'];
      const { signal, stderr } = await repair(args, stop(9, 'SIGINT'));
      expect([signal, stderr]).toEqual([
        'SIGINT',
        'utf8: interrupted; committed changes stay, and the same command with --resume continues\n',
      ]);
      const rest = await repair([...args, '--resume']);
      expect([rest.status, rest.stdout]).toEqual([
        1,
        expect.stringContaining('\nrepaired: 299 values in 299 rows\nskipped: refused 1\n'),
      ]);
      expect((await revert([url, '--undo', file])).status).toBe(0);
      expect(all()).toBe(before);
    });

    it('is refused while another run is at work, and resumes it when it was killed', async () => {
      const before = all();
      const file = `${undoLog}.4`;
      const args = ['--batch', '10', '--table', 'goods'];
      // It writes some pages, and then waits.
      const child = begin([url, '--undo', file, ...args], stop(6));
      const ended = finish(child);
      for (let output = ''; !output.endsWith('here\n'); )
        output += await once(child.stdout, 'data');
      expect(readFileSync(file, 'utf8').split('\n').length).toBeGreaterThan(10);
      copyFileSync(file, `${file}.copy`);
      for (const [command, ...more] of [
        [repair, `${file}.other`],
        [repair, `${file}.copy`, '--resume'],
        [revert, `${file}.copy`],
        [repair, file, '--resume'],
      ] as const) {
        const { status, stdout, stderr } = await command([url, '--undo', ...more]);
        expect([status, stdout, stderr]).toEqual([
          75,
          '',
          expect.stringMatching(/^utf8: .*try again.*\n$/),
        ]);
      }
      expect(existsSync(`${file}.other`)).toBe(false);
      child.kill('SIGKILL');
      expect((await ended).signal).toBe('SIGKILL');
      const rest = await repair([url, '--undo', file, ...args, '--resume']);
      expect([rest.status, rest.stdout]).toEqual([
        1,
        expect.stringContaining('\nrepaired: 299 values in 299 rows\n'),
      ]);
      expect((await revert([url, '--undo', file])).status).toBe(0);
      expect(all()).toBe(before);
    });

    it('says what is wrong in one sentence, without the password', async () => {
      for (const [target, sentence] of [
        [locked, /wrong (user or )?password/],
        [notFound, /no such database/],
        [url.replace(/(socketPath|host)=/, '$1=/nowhere'), /no (such|server) socket/],
      ] as const) {
        const { status, stdout, stderr } = await scan([target]);
        expect([status, stdout]).toEqual([3, '']);
        expect(stderr).toMatch(/^utf8: .*\n$/);
        expect(stderr).toMatch(sentence);
      }
      const { status, stderr } = await repair([locked, locked]);
      expect([status, stderr]).toEqual([2, expect.stringContaining(':…@')]);
    });

    it('leaves the password out of the next line and of the undo log', async () => {
      ask(
        database === mariadb
          ? `ALTER USER guest@localhost IDENTIFIED BY '${SECRET}'`
          : `ALTER ROLE guest PASSWORD '${SECRET}'; GRANT ALL ON ALL TABLES IN SCHEMA public TO guest; GRANT ALL ON SCHEMA public TO guest`,
      );
      const look = await scan([locked]);
      expect([look.status, look.stderr]).toEqual([1, '']);
      expect(look.stdout).toContain(`(the password is left out; ${advice})\n`);
      expect(look.stdout).toMatch(/Next: utf8 repair '\w+:\/\/guest@.*'/);
      const file = `${undoLog}.3`;
      const { status, stdout } = await repair([locked, '--undo', file, '--json']);
      expect(status).toBe(1);
      expect(JSON.parse(stdout).repaired.values).toBe(299);
      expect(readFileSync(file, 'utf8')).not.toContain(SECRET);
    });
  });
}

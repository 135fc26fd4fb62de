/** `utf8 repair` with SQLite. Other servers have theirs in tooling/systems/databases/test/repair-command.test.ts. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findProgram } from '../../../tooling/conformance/runtimes/programs.mjs';
import { choose, scale } from '../../../tooling/tiers/tier.js';
import { finish, need, program, runBuilt } from './built.js';
import { plainEnv, useFolder, utf8 } from './command.js';

const path = useFolder();
const [major = 0] = process.versions.node.split('.').map(Number);

/** A Node with `node:sqlite`. */
const node = major >= 24 ? process.execPath : findProgram('node-24', 'node-26', 'node-22');

interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** No driver of this repository is found by its environment. */
const env = (wanted: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv =>
  plainEnv({ NODE_PATH: '', NODE_OPTIONS: '', ...wanted });

const begin = (args: readonly string[], wanted?: NodeJS.ProcessEnv, command = 'repair') =>
  spawn(node as string, [program, command, ...args], { cwd: path('.'), env: env(wanted) });

async function run(child: ReturnType<typeof begin>): Promise<Ended> {
  const result = await finish(child);
  return { ...result, stdout: result.stdout.toString() };
}

const repair = (args: readonly string[], wanted?: NodeJS.ProcessEnv): Promise<Ended> =>
  run(begin(args, wanted));
const scan = (args: readonly string[], wanted?: NodeJS.ProcessEnv): Promise<Ended> =>
  run(begin(args, wanted, 'scan'));
const revert = (args: readonly string[]): Promise<Ended> => run(begin(args, undefined, 'revert'));

const SCRIPT = `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.argv[1]);
  const sql = require('node:fs').readFileSync(0, 'utf8');
  const rows = sql.startsWith('SELECT') ? database.prepare(sql).all() : database.exec(sql);
  console.log(JSON.stringify(rows ?? null));`;

/** Runs SQL in a file, and returns the rows of a query. */
function sql(file: string, text: string): Record<string, unknown>[] {
  const { status, stdout, stderr } = spawnSync(node as string, ['-e', SCRIPT, path(file)], {
    input: text,
    encoding: 'utf8',
    env: env({ NODE_NO_WARNINGS: '1' }),
  });
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

const PAIR = 'EDA0BDEDB880';
const SMILE = 'F09F9880';

/** One row of each kind: repaired, refused, in the way of another, clean. */
const SMALL = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, email TEXT);
  CREATE UNIQUE INDEX users_email ON users (email);
  CREATE TABLE "no\u001b[31mtes" (a TEXT);
  INSERT INTO users VALUES
    (1, CAST(X'61${PAIR}62' AS TEXT), 'a'), (2, CAST(X'EDA0BD' AS TEXT), 'b'),
    (3, 'c', CAST(X'${PAIR}' AS TEXT)), (4, 'd', CAST(X'${SMILE}' AS TEXT));
  INSERT INTO "no\u001b[31mtes" VALUES (CAST(X'${PAIR}' AS TEXT));`;

const MANY = `
  CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
  INSERT INTO t SELECT i, CAST(X'${PAIR}' || CAST(i AS BLOB) AS TEXT) FROM n;`;

const hash = (file: string, table: string): string =>
  JSON.stringify(
    sql(
      file,
      `SELECT rowid, ${table === 'users' ? 'hex(name), hex(email)' : 'hex(a)'} FROM "${table}"`,
    ),
  );

/** The environment of a process that gets a signal at a named point. */
const signalAt = (point: { SIGNAL?: NodeJS.Signals; SYNCS?: string; OPENED?: string }) => ({
  NODE_OPTIONS: `--require ${fileURLToPath(new URL('signal-at.cjs', import.meta.url))}`,
  ...point,
});

describe('utf8 repair', { tags: ['slow'] }, () => {
  beforeAll(() => {
    if (!node)
      throw new Error('missing: node-24; run node tooling/conformance/runtimes/install.mjs');
  });

  beforeEach(() => {
    for (const name of readdirSync(path('.'))) rmSync(path(name), { recursive: true });
    sql('app.db', SMALL);
    copyFileSync(path('app.db'), path('old.db'));
  });

  it('scan writes nothing, and says what to do', async () => {
    const { status, stdout, stderr } = await scan(['sqlite:app.db']);
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(/^SQLite \S+, sqlite:app\.db: cesu-8\+utf-8 to utf-8\n/);
    expect(stdout).toContain('5 rows in 2 tables: 2 would change, 2 would be skipped\n');
    expect(stdout).toContain('\ntable            rows  column  type  changed  refused  findings\n');
    expect(stdout).toContain(
      '\nusers            4     name    TEXT  1        1        pair 1, unpaired-surrogate 1\n',
    );
    expect(stdout).toContain(`
pair 1: users.name
  id 1, offset 1: ED A0 BD ED B8 80 becomes F0 9F 98 80
    before  61 ED A0 BD ED B8 80 62
    after   61 F0 9F 98 80 62  "a😀b"
`);
    expect(stdout).toContain(
      'refused (unpaired-surrogate): 1 row skipped; add --unpaired-surrogates escape to repair such text\n  id 2\n',
    );
    expect(stdout).toContain(
      'hazard in users.email: equal-keys (unique key users_email): 1 row skipped; --allow equal-keys appends',
    );
    expect(stdout).toMatch(/\n\nNext: utf8 repair sqlite:app\.db --undo app\.undo\.jsonl\n$/);
    // Names of a database are shown, and not obeyed.
    expect(stdout).toContain('no\\u001B[31mtes');
    expect(stdout).not.toContain('\u001b');
    expect(readFileSync(path('app.db')).equals(readFileSync(path('old.db')))).toBe(true);
    expect(readdirSync(path('.')).sort()).toEqual(['app.db', 'old.db']);
  });

  it('repairs, proves and undoes', async () => {
    const args = ['sqlite:app.db', '--undo', 'j.jsonl'];
    const first = await repair([...args, '--report', 'report.jsonl']);
    expect([first.status, first.stderr]).toEqual([1, '']);
    expect(first.stdout).toContain(
      '\nrepaired: 2 values in 2 rows\nskipped: refused 1, equal-keys 1\n',
    );
    expect(first.stdout).toContain('\nleft: 2 rows\n');
    expect(first.stdout).toMatch(/\nUndo: utf8 revert sqlite:app\.db --undo j\.jsonl\n$/);
    const lines = readFileSync(path('report.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(Array(4).fill('finding'));

    const again = await repair(args);
    expect([again.status, again.stdout]).toEqual([2, '']);
    expect(again.stderr).toMatch(/^utf8: j\.jsonl: .*\n$/);

    const policies = ['--unpaired-surrogates', 'escape', '--allow', 'equal-keys'];
    const rest = await repair(['sqlite:app.db', '--undo', 'rest.jsonl', ...policies]);
    expect(rest.status).toBe(0);
    expect(rest.stdout).toContain('1 row got a suffix\n');
    expect(rest.stdout).toContain('\nleft: nothing\n');
    expect(sql('app.db', 'SELECT hex(name) n, hex(email) e FROM users WHERE id IN (2, 3)')).toEqual(
      [
        { n: Buffer.from('\\ud83d').toString('hex').toUpperCase(), e: '62' },
        { n: '63', e: `${SMILE}7E32` },
      ],
    );
    const look = await scan(['sqlite:app.db']);
    expect([look.status, look.stdout.includes('nothing found')]).toEqual([0, true]);
    expect(look.stdout).not.toContain('Next:');

    for (const undoLog of ['rest.jsonl', 'j.jsonl']) {
      const { status, stdout } = await revert(['sqlite:app.db', '--undo', undoLog]);
      expect([status, stdout]).toEqual([0, expect.stringContaining('\nrestored: 2 values\n')]);
    }
    for (const table of ['users', 'no\u001b[31mtes']) {
      expect(hash('app.db', table)).toBe(hash('old.db', table));
    }
    expect(sql('app.db', "SELECT name FROM sqlite_schema WHERE name LIKE 'utf8%'")).toEqual([]);
  });

  it('keeps what has changed since when it undoes', async () => {
    await repair(['sqlite:app.db', '--undo', 'j.jsonl']);
    sql('app.db', "UPDATE users SET name = 'new' WHERE id = 1");
    const { status, stdout } = await revert(['sqlite:app.db', '--undo', 'j.jsonl']);
    expect([status, stdout]).toEqual([
      1,
      expect.stringContaining('\nrestored: 1 value\nkept: 1 value that changed since\n'),
    ]);
    expect(sql('app.db', 'SELECT name FROM users WHERE id = 1')).toEqual([{ name: 'new' }]);
  });

  it('reads only the tables and columns that are named', async () => {
    const { stdout } = await scan(['sqlite:app.db', '--column', 'users.email', '--json']);
    const { found, repaired } = JSON.parse(stdout);
    expect([found.candidates, found.tables.length, repaired]).toEqual([1, 1, null]);
    const next = await scan(['sqlite:app.db', '--nul', 'replace', '--table', 'users']);
    expect(next.stdout).toMatch(
      /Next: utf8 repair sqlite:app\.db --nul replace --table users --undo app\.undo\.jsonl\n$/,
    );
  });

  it('stops before it writes, if it is told so', async () => {
    const args = ['sqlite:app.db', '--undo', 'j.jsonl', '--stop-at', 'equal-keys'];
    const { status, stdout } = await repair(args);
    expect(status).toBe(1);
    expect(stdout).toContain(
      'stopped at users, id 3: equal-keys (unique key users_email); nothing was written\n',
    );
    expect(hash('app.db', 'users')).toBe(hash('old.db', 'users'));
    expect(existsSync(path('j.jsonl'))).toBe(false);
  });

  it('writes statements that do the same, and those that undo them', async () => {
    const policies = ['--unpaired-surrogates', 'replace', '--table', 'users'];
    const { status, stdout } = await repair([
      ...['sqlite:app.db', '--emit', 'sql', '-o', 'fix.sql'],
      ...policies,
    ]);
    expect([status, stdout]).toEqual([
      1,
      expect.stringMatching(
        /\n\nStatements: fix\.sql; statements that undo them: fix\.sql\.undo\n$/,
      ),
    ]);
    expect(hash('app.db', 'users')).toBe(hash('old.db', 'users'));
    copyFileSync(path('app.db'), path('copy.db'));
    await repair(['sqlite:copy.db', '--undo', 'copy.jsonl', ...policies]);
    sql('app.db', readFileSync(path('fix.sql'), 'utf8'));
    expect(hash('app.db', 'users')).toBe(hash('copy.db', 'users'));
    sql('app.db', readFileSync(path('fix.sql.undo'), 'utf8'));
    expect(hash('app.db', 'users')).toBe(hash('old.db', 'users'));
  });

  it('after kill -9 between undo log and commit, resumes to the same end', async () => {
    sql('many.db', MANY);
    copyFileSync(path('many.db'), path('whole.db'));
    const whole = await repair(['sqlite:whole.db', '--undo', 'whole.jsonl', '--batch', '100']);
    expect(whole.status).toBe(0);
    const args = ['sqlite:many.db', '--undo', 'many.jsonl', '--batch', '100'];
    let kills = 0;
    let end: Ended | undefined;
    for (const stop of ['1', '2', '9', '5', '7']) {
      const words = kills === 0 ? args : [...args, '--resume'];
      end = await repair(words, signalAt({ SYNCS: stop }));
      expect(end.signal, end.stderr).toBe('SIGKILL');
      kills++;
    }
    const without = await repair(args);
    expect([without.status, without.stderr]).toEqual([
      2,
      expect.stringMatching(/^utf8: an interrupted run has left its progress .* \(--resume\)\n$/),
    ]);
    const last = await repair([...args, '--resume']);
    expect([last.status, last.stderr]).toEqual([
      0,
      'utf8: resuming in t; the changes of the interrupted run are kept\n',
    ]);
    expect(last.stdout).toContain('\nrepaired: 2000 values in 2000 rows\n');
    expect(hash('many.db', 't')).toBe(hash('whole.db', 't'));
    // The header names the database, and the end has a checksum that covers it.
    const lines = (name: string): string[] => readFileSync(path(name), 'utf8').split('\n');
    expect(lines('many.jsonl').slice(1, -2)).toEqual(lines('whole.jsonl').slice(1, -2));
    expect(lines('many.jsonl').at(-2)).toMatch(/^\{"end":2000,/);
    expect((await scan(['sqlite:many.db'])).status).toBe(0);
  });

  it.runIf(process.platform !== 'win32')(
    'Ctrl-C ends it at once, and it can be resumed',
    async () => {
      sql('many.db', MANY);
      const args = ['sqlite:many.db', '--undo', 'many.jsonl', '--batch', '10'];
      const { signal, stderr } = await repair(
        [...args, '--pause', '20', '--report', 'report.jsonl'],
        signalAt({ SIGNAL: 'SIGINT', SYNCS: '9' }),
      );
      expect([signal, stderr]).toEqual([
        'SIGINT',
        'utf8: interrupted; committed changes stay, and the same command with --resume continues\n',
      ]);
      // No temporary file, and no lock.
      expect(
        readdirSync(path('.'))
          .filter((name) => !name.includes('.db'))
          .sort(),
      ).toEqual(['many.jsonl', 'report.jsonl']);
      const rest = await repair([...args, '--resume']);
      expect([rest.status, rest.stdout]).toEqual([
        0,
        expect.stringContaining('\nrepaired: 2000 values in 2000 rows\n'),
      ]);
    },
  );

  it('is refused while another run is at work', async () => {
    sql('many.db', MANY);
    const args = ['sqlite:many.db', '--undo', 'many.jsonl', '--batch', '10'];
    const child = begin(args, signalAt({ SIGNAL: 'SIGSTOP', SYNCS: '9' }));
    const ended = finish(child);
    await once(child.stdout, 'data');
    copyFileSync(path('many.jsonl'), path('copy.jsonl'));
    const cases = [
      [repair, 'other.jsonl'],
      [repair, 'copy.jsonl', '--resume'],
      [revert, 'copy.jsonl'],
    ] as const;
    for (const [command, ...more] of cases) {
      const { status, stdout, stderr } = await command(['sqlite:many.db', '--undo', ...more]);
      expect([status, stdout, stderr]).toEqual([
        75,
        '',
        expect.stringMatching(
          /^utf8: process \d+ is repairing this database; try again when it has ended\n$/,
        ),
      ]);
    }
    expect(existsSync(path('other.jsonl'))).toBe(false);
    child.kill('SIGKILL');
    await ended;
    const rest = await repair([...args, '--resume']);
    expect([rest.status, rest.stdout]).toEqual([
      0,
      expect.stringContaining('\nrepaired: 2000 values in 2000 rows\n'),
    ]);
  });

  it.runIf(process.platform !== 'win32')('Ctrl-C ends a scan, too', async () => {
    sql(
      'big.db',
      `CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO t SELECT i, CAST(X'${PAIR}' AS TEXT) FROM n;`,
    );
    const { signal } = await scan(
      ['sqlite:big.db', '--batch', '1', '--report', 'report.jsonl'],
      signalAt({ SIGNAL: 'SIGINT', OPENED: '.report.jsonl.' }),
    );
    expect(signal).toBe('SIGINT');
    expect(readdirSync(path('.')).filter((name) => name.includes('report'))).toEqual([]);
  });

  it('refuses a table and an undo log that are not there', async () => {
    const table = await scan(['sqlite:app.db', '--table', 'x']);
    expect([table.status, table.stderr]).toEqual([
      2,
      'utf8: no table "x" has text; expected no\\u001B[31mtes, users\n',
    ]);
    const undo = await revert(['sqlite:app.db', '--undo', 'none.jsonl']);
    expect([undo.status, undo.stderr]).toEqual([
      3,
      expect.stringMatching(/^utf8: none\.jsonl: .*\n$/),
    ]);
    expect(readdirSync(path('.')).sort()).toEqual(['app.db', 'old.db']);
  });

  it('refuses files that it cannot use, in one sentence', async () => {
    writeFileSync(
      path('text.db'),
      'no database at all, but text that is longer than a header'.repeat(20),
    );
    for (const name of ['text.db', 'none.db']) {
      const { status, stdout, stderr } = await repair([`sqlite:${name}`, '--undo', 'u.jsonl']);
      expect([status, stdout]).toEqual([3, '']);
      expect(stderr).toMatch(new RegExp(`^utf8: ${name}: .*\\n$`));
    }
    // A file that other programs write is locked for longer than asked for.
    const lock = `
      const { DatabaseSync } = require('node:sqlite');
      new DatabaseSync(process.argv[1]).exec('BEGIN EXCLUSIVE');
      console.log('locked');
      setInterval(() => {}, 1000);`;
    const holder = spawn(node as string, ['-e', lock, path('app.db')], { env: env() });
    await once(holder.stdout, 'data');
    try {
      const { status, stderr } = await repair([
        'sqlite:app.db',
        '--undo',
        'u.jsonl',
        '--lock-timeout',
        '50',
      ]);
      expect([status, stderr]).toEqual([3, expect.stringMatching(/^utf8: .*locked.*\n$/)]);
    } finally {
      holder.kill('SIGKILL');
      await once(holder, 'close');
    }
  });

  it.runIf(process.platform !== 'win32')('cannot write a file that is read-only', async () => {
    // Whatever its mode is, root may write it.
    const isRoot = process.getuid?.() === 0;
    mkdirSync(path('shared'));
    copyFileSync(path('app.db'), path('shared/app.db'));
    chmodSync(path('.'), 0o755);
    chmodSync(path('shared'), 0o777);
    chmodSync(path('shared/app.db'), 0o444);
    const child = spawn(
      node as string,
      [program, 'repair', 'sqlite:shared/app.db', '--undo', 'shared/j.jsonl'],
      { cwd: path('.'), env: env(), ...(isRoot && { uid: 65534, gid: 65534 }) },
    );
    const { status, stderr } = await finish(child);
    expect([status, stderr]).toEqual([
      3,
      expect.stringMatching(/^utf8: shared\/app\.db: .*(read-only|permission).*\n$/),
    ]);
    expect(hash('shared/app.db', 'users')).toBe(hash('old.db', 'users'));
  });

  it('shows a bar with the rate and the time left', async () => {
    need('script');
    sql('many.db', MANY);
    const command = `'${node}' '${program}' repair sqlite:many.db --undo j --batch 100 --pause 100 > out`;
    const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: path('.'), env: env() });
    const { status, stdout } = await finish(child);
    expect(status).toBe(0);
    expect(stdout.toString()).toMatch(/█+░+ \d+ %, \d+ rows\/s, \d+s left/);
  });
});

it('commands refuse options of the other kind of input', async () => {
  const cases = [
    ['scan', ['sqlite:app.db', '--key', 'id'], '--key is for files, not for databases'],
    ['scan', ['sqlite:app.db', '--delimiter', ';'], '--delimiter is for files, not for databases'],
    ['scan', ['sqlite:a', 'sqlite:b'], 'scan one database at a time'],
    ['scan', ['a.csv', '--table', 't'], '--table is for databases, not for files'],
    [
      'revert',
      ['sqlite:app.db', '--undo', 'j', '-o', 'x'],
      '--output is for files, not for databases',
    ],
    [
      'revert',
      ['a.csv', '--undo', 'j', '--allow', 'trigger'],
      '--allow is for databases, not for files',
    ],
  ] as const;
  for (const [command, args, sentence] of cases) {
    const { status, stderr } = await utf8([command, ...args], '', { cwd: path('.'), env: env() });
    expect([status, stderr]).toEqual([2, `utf8: ${sentence}; see utf8 ${command} --help\n`]);
  }
});

it('what makes no sense is refused in one sentence', async () => {
  const here = (args: string[]) => utf8(['repair', ...args], '', { cwd: path('.'), env: env() });
  const cases: [string[], string][] = [
    [[], 'missing database URL, such as sqlite:app.db; see utf8 repair --help'],
    [
      ['app.db', '--undo', 'j'],
      'not a database URL; expected sqlite:FILE, mysql://…, mariadb://… or postgres://…',
    ],
    [
      ['oracle://h/x', '--undo', 'j'],
      'unknown kind of database, oracle:; expected sqlite:FILE, mysql://…, mariadb://… or postgres://…',
    ],
    [['sqlite:', '--undo', 'j'], 'no file after sqlite:; add one, as in sqlite:app.db'],
    [['sqlite:app.db', '--resume'], '--resume needs --undo FILE; see utf8 repair --help'],
    [
      ['sqlite:app.db'],
      'missing option --undo FILE; utf8 scan URL only lists what it would do; see utf8 repair --help',
    ],
    [['sqlite:app.db', '--pause', '5'], '--pause needs --undo FILE; see utf8 repair --help'],
    [['sqlite:app.db', '--emit', 'sql'], '--emit needs --output FILE; see utf8 repair --help'],
    [['sqlite:app.db', '-o', 'x'], '--output needs --emit KIND; see utf8 repair --help'],
    [
      ['sqlite:app.db', '--undo', 'j', '--emit', 'sql', '-o', 'x'],
      '--emit and --undo cannot be combined; use one of them; see utf8 repair --help',
    ],
    [['sqlite:app.db', '--undo', '-'], '--undo needs a file, not stdout; see utf8 repair --help'],
    [
      ['sqlite:app.db', '--undo', 'j', '--allow', 'trigger', '--stop-at', 'trigger'],
      'trigger cannot be allowed and end the run; choose one (--stop-at)',
    ],
    [
      ['sqlite:app.db', '--batch', '0'],
      '--batch "0": expected a whole number from 1 to 100000; see utf8 repair --help',
    ],
    [
      ['sqlite:app.db', '--undo', 'j', '--from', 'cesu-8'],
      'from: cesu-8 does not accept repaired text, which is utf-8, and a database that is being repaired contains both; use cesu-8+utf-8, or another encoding that accepts both',
    ],
    [
      ['sqlite:app.db', 'mysql://me:pass@word@h/d'],
      'unexpected argument "mysql://me:…@h/d"; see utf8 repair --help',
    ],
  ];
  for (const [args, sentence] of cases) {
    const { status, stdout, stderr } = await here(args);
    expect([status, stdout.length, stderr]).toEqual([2, 0, `utf8: ${sentence}\n`]);
  }
  const allow = await here(['sqlite:app.db', '--allow', 'equal-key']);
  expect([allow.status, allow.stderr]).toEqual([
    2,
    expect.stringMatching(/did you mean equal-keys\?/),
  ]);
  expect(existsSync(path('app.db'))).toBe(false);
});

describe('a server', () => {
  beforeEach(() => {
    for (const name of readdirSync(path('.'))) rmSync(path(name), { recursive: true });
  });

  const servers = [
    ['mysql://me:secret@127.0.0.1:1/shop', 'mysql2'],
    ['postgres://me:secret@127.0.0.1:1/shop', 'pg'],
  ] as const;

  it('says which driver is missing, and finds it where UTF8_DRIVERS says', async () => {
    const at = { cwd: path('.'), env: env() };
    for (const [url, name] of choose(servers, scale(10))) {
      const { status, stdout, stderr } = await runBuilt(['scan', url], '', at);
      expect([status, stdout.length, stderr]).toEqual([
        2,
        0,
        `utf8: ${name} is not installed; run npm install ${name}\n`,
      ]);
      const installed = fileURLToPath(new URL('../../database', import.meta.url));
      const places = [
        [path('.'), installed],
        [installed, '.'],
      ] as const;
      for (const [cwd, folder] of choose(places, scale(10))) {
        const there = await runBuilt(['scan', url], '', {
          cwd,
          env: env({ UTF8_DRIVERS: folder }),
        });
        expect(there.status).toBe(3);
        expect(there.stderr).toMatch(/^utf8: .*(connection was refused|no server accepts).*\n$/);
        expect(there.stderr).not.toContain('secret');
      }
    }
  });

  it('runs no code that lies in the current directory, or above it', async () => {
    for (const [url, name] of choose(servers, scale(10))) {
      for (const folder of ['.', 'inner']) {
        mkdirSync(path(`node_modules/${name}`), { recursive: true });
        mkdirSync(path(folder), { recursive: true });
        const planted = path(`node_modules/${name}/index.js`);
        writeFileSync(planted, "require('node:fs').writeFileSync('/dev/stdout', 'code ran');");
        const { status, stdout, stderr } = await runBuilt(['scan', url], '', {
          cwd: path(folder),
          env: env(),
        });
        expect([status, stdout.toString()]).toEqual([2, '']);
        expect(stderr).toBe(
          `utf8: ${name} is not installed with this program; set UTF8_DRIVERS=. to load ${planted}, if you trust it\n`,
        );
      }
    }
  });
});

it.runIf(major < 22)('without node:sqlite, better-sqlite3 is needed', async () => {
  writeFileSync(path('x.db'), '');
  const { status, stderr } = await runBuilt(['scan', 'sqlite:x.db'], '', {
    env: env(),
    cwd: path('.'),
  });
  expect([status, stderr]).toEqual([
    2,
    'utf8: better-sqlite3 is not installed; run npm install better-sqlite3@12, or use Node 22.13 or later\n',
  ]);
});

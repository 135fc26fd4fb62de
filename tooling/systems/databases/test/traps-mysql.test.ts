/**
 * A user who may create objects in a database sets traps of every kind, and the server has settings that change
 * what statements mean. No command springs a trap, unless it was asked to run triggers. MySQL at night.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emitRepair, repairDatabase, revertDatabase, scanDatabase } from '@utf8/database';
import { afterAll, describe, expect, it } from 'vitest';
import { isNight } from '../../../tiers/tier.js';
import { MariaDb } from '../src/mariadb.js';
import { MySql } from '../src/mysql.js';

const folder = mkdtempSync(join(tmpdir(), 'utf8-traps-mysql-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PAIR = 'EDA0BDEDB880';
const SMILE = 'F09F9880';

/** Functions of the names of those that statements call. Called with a space, as `VERSION ()`, they would run. */
const FUNCTIONS = [
  'ascii',
  'char_length',
  'concat',
  'connection_id',
  'database',
  'get_lock',
  'hex',
  'instr',
  'length',
  'lower',
  'sha1',
  'sha2',
  'unhex',
  'version',
];

/** Start of a column's definition, which the line of another column imitates. */
const IMITATED = " varchar(90) DEFAULT 'q";

const servers = [
  {
    name: 'MariaDB',
    start: () => MariaDb.start(),
    mode: 'ORACLE,ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH,IGNORE_SPACE',
    more: `SET GLOBAL sql_auto_is_null = 1; SET GLOBAL sql_safe_updates = 1; SET GLOBAL system_versioning_asof = '1999-01-01 00:00:00'; SET GLOBAL check_constraint_checks = 0;`,
    versioned: `CREATE TABLE versioned (id INT PRIMARY KEY, t TEXT) CHARSET utf8mb4 WITH SYSTEM VERSIONING;
      INSERT INTO versioned VALUES (1, X'${PAIR}');`,
    charset: 'utf8mb4',
  },
  ...(isNight
    ? [
        {
          name: 'MySQL',
          start: () => MySql.start(),
          mode: 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH,IGNORE_SPACE,PIPES_AS_CONCAT',
          more: 'SET GLOBAL sql_auto_is_null = 1;',
          versioned: '',
          // It refuses malformed text in UTF-8.
          charset: 'latin1',
        },
      ]
    : []),
];

for (const { name, start, mode, more, versioned, charset } of servers) {
  const server = await start();
  afterAll(() => server.stop());
  const isMariaDb = name === 'MariaDB';
  const ask = (script: string, ...words: readonly string[]): string =>
    server
      .demand(script, ...words)
      .toString()
      .trimEnd();
  const pinned = "SET sql_mode = ''; SET NAMES utf8mb4; SET time_zone = '+00:00';";
  const narrow = isMariaDb ? 'utf8mb3' : 'latin1';

  ask(`CREATE DATABASE traps; USE traps;
    CREATE TABLE sprung (kind VARCHAR(40)) ENGINE = MyISAM;
    ${FUNCTIONS.map(
      (each) => `DELIMITER //
CREATE FUNCTION traps.\`${each}\` (a TEXT, b TEXT) RETURNS TEXT SQL SECURITY INVOKER MODIFIES SQL DATA
BEGIN INSERT INTO traps.sprung VALUES ('${each}'); RETURN 'x'; END//
DELIMITER ;`,
    ).join('\n')}
    CREATE TABLE plain (id INT PRIMARY KEY, t VARCHAR(40) UNIQUE, k TIMESTAMP NOT NULL DEFAULT '2001-01-01 00:00:00'
      ON UPDATE current_timestamp, pad CHAR(9) DEFAULT 'a') CHARSET ${charset};
    INSERT INTO plain (id, t) VALUES (1, X'${PAIR}'), (2, 'x');
    CREATE TABLE computed (id INT PRIMARY KEY, t VARCHAR(40), g VARCHAR(90) AS (concat(t, lower(t))) STORED UNIQUE)
      CHARSET ${charset};
    INSERT INTO computed (id, t) VALUES (1, X'${PAIR}');
    CREATE TABLE checked (id INT PRIMARY KEY, t VARCHAR(40), CHECK (length(t) > 0)) CHARSET ${charset};
    INSERT INTO checked VALUES (1, X'${PAIR}');
    CREATE TABLE triggered (id INT PRIMARY KEY, t VARCHAR(40)) CHARSET ${charset};
    INSERT INTO triggered VALUES (1, X'${PAIR}');
    CREATE TRIGGER trap BEFORE UPDATE ON triggered FOR EACH ROW INSERT INTO traps.sprung VALUES ('trigger');
    CREATE TABLE imitated (id INT PRIMARY KEY, \`x
\u00a0\` VARCHAR(90) DEFAULT 'q\` varchar(20), DROP COLUMN secret -- ', \`${IMITATED}\` VARCHAR(20) CHARACTER SET ${narrow},
      secret VARCHAR(100) DEFAULT 'kept') CHARSET ${charset};
    INSERT INTO imitated (id, \`${IMITATED}\`) VALUES (1, X'${PAIR}');
    ${versioned}
    CREATE SQL SECURITY INVOKER VIEW viewed AS SELECT 1 AS id, traps.\`hex\` ('a', 'b') AS t;
    CREATE USER repairer@localhost; GRANT ALL ON traps.* TO repairer@localhost;
    GRANT SELECT (\`${IMITATED}\`) ON traps.imitated TO repairer@localhost;
    SET GLOBAL init_connect = 'SET SESSION character_set_client = latin1, character_set_connection = latin1, collation_connection = latin1_german2_ci';
    SET GLOBAL sql_mode = '${mode}'; SET GLOBAL time_zone = '+13:00'; SET GLOBAL completion_type = 'CHAIN';
    ${more}`);

  const tables = ['plain', 'computed', 'checked', 'triggered', ...(versioned ? ['versioned'] : [])];
  const read = (): string[] => [
    ...tables.map((table) =>
      ask(
        `${pinned} ${isMariaDb ? 'SET system_versioning_asof = DEFAULT;' : ''} SELECT '${table}', id, HEX(t) FROM ${table} ORDER BY id`,
        'traps',
      ),
    ),
    ask(`${pinned} SELECT id, HEX(\`${IMITATED}\`), secret FROM imitated`, 'traps'),
    ask(`${pinned} SELECT k, HEX(pad) FROM plain`, 'traps'),
  ];
  const countSprung = (): string => ask('SELECT count(*) FROM traps.sprung');
  const url = `mysql://repairer@localhost/traps?socketPath=${server.socket}`;
  const undoLog = join(folder, `${name}.undo log`);

  describe(`traps in ${name}`, () => {
    it('are not sprung by a report', async () => {
      const { found } = await scanDatabase({ url });
      const candidates = found?.tables.flatMap(({ table, candidates }) =>
        candidates ? [table] : [],
      );
      expect(candidates).toEqual([
        'checked',
        'computed',
        'imitated',
        'plain',
        'triggered',
        ...(versioned ? ['versioned'] : []),
      ]);
      expect(countSprung()).toBe('0');
    });

    it('are not sprung by statements that are written, which mean the same in any mode', async () => {
      const before = read();
      const files = {
        output: join(folder, `${name}.sql`),
        inverse: join(folder, `${name}.undo.sql`),
      };
      await emitRepair({ url, ...files, allow: ['history'] });
      expect(read()).toEqual(before);
      server.demand(readFileSync(files.output), 'traps');
      expect(read()[0]).toContain(SMILE);
      server.demand(readFileSync(files.inverse), 'traps');
      expect(read()).toEqual(before);
      expect(countSprung()).toBe('0');
    });

    it('are not sprung by a repair, an ALTER and an undo', async () => {
      const before = read();
      const ddl = (): string =>
        ask(`${pinned} SHOW CREATE TABLE imitated`, 'traps', '--raw').replace(
          / CHARACTER SET utf8mb\d COLLATE \w+/g,
          '',
        );
      const definition = ddl();
      const { repaired, left, statements, problems } = await repairDatabase({
        url,
        undo: undoLog,
        allow: ['narrow-column', 'history', 'equal-keys'],
      });
      expect(problems).toEqual([]);
      expect(statements.length).toBe(isMariaDb ? 1 : 0);
      expect(repaired?.rows).toBe(versioned ? 5 : 4);
      expect(left?.tables.flatMap(({ table, candidates }) => (candidates ? [table] : []))).toEqual([
        'triggered',
      ]);
      expect(read().slice(0, -1)).toEqual(
        before
          .slice(0, -1)
          .map((each) => (each.startsWith('triggered') ? each : each.replaceAll(PAIR, SMILE))),
      );
      expect(read().at(-1)).toBe(before.at(-1));
      if (isMariaDb) expect(ddl()).toBe(definition);
      const { kept, refused } = await revertDatabase({ url, undo: undoLog, allow: ['history'] });
      expect([kept, refused]).toEqual([0, 0]);
      expect(read()).toEqual(before);
      expect(countSprung()).toBe('0');
    });

    it('leave an ALTER to change the character set of a column, and nothing else', async () => {
      const invisible = isMariaDb ? 'INVISIBLE' : '';
      ask(`${pinned} CREATE DATABASE altered; USE altered;
        CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(40) CHARACTER SET utf8 COLLATE utf8_bin NOT NULL ${invisible}
            DEFAULT 'it''s \\\\ "q" (,\`\n' COMMENT 'CHARACTER SET latin1 COLLATE x, \`b\` int',
          b CHAR(5) CHARACTER SET ascii, c TEXT CHARACTER SET latin1, KEY part (a(3)), UNIQUE whole (a, b))
          CHARSET utf8 COMMENT 'x) ENGINE=MyISAM';
        INSERT INTO t (id, a, b) VALUES (1, _utf8 X'C3B0C5B8CB9CE282AC20C3B0C5B8CB9CE282AC', 'x');
        CREATE USER alterer@localhost; GRANT ALL ON altered.* TO alterer@localhost;`);
      const ddl = (): string => ask(`${pinned} SHOW CREATE TABLE t`, 'altered', '--raw');
      const [before, words] = [ddl(), / CHARACTER SET utf8(?:mb3)? COLLATE utf8(?:mb3)?_bin/];
      expect(before).toMatch(words);
      const { repaired, statements } = await repairDatabase({
        url: url.replace('repairer', 'alterer').replace('/traps?', '/altered?'),
        undo: `${undoLog}.altered`,
        mojibake: 'repair',
        allow: ['narrow-column'],
      });
      expect([repaired?.rows, statements.length]).toEqual([1, 1]);
      expect(ddl()).toBe(before.replace(words, ' CHARACTER SET utf8mb4 COLLATE utf8mb4_bin'));
      expect(ask(`${pinned} SELECT HEX(a) FROM t`, 'altered')).toBe(`${SMILE}20${SMILE}`);
    });

    it.each([
      [
        'a table with a trigger',
        `CREATE TABLE utf8_repair (id INT PRIMARY KEY, progress LONGBLOB) COMMENT = 'Progress of utf8 repair';
         CREATE TRIGGER progress BEFORE INSERT ON utf8_repair FOR EACH ROW INSERT INTO sprung VALUES ('progress');`,
        'TABLE',
      ],
      [
        'a view',
        `CREATE SQL SECURITY INVOKER VIEW utf8_repair AS SELECT 1 AS id, traps.\`hex\` ('a', 'b') AS progress;`,
        'VIEW',
      ],
    ])('are not sprung by %s of the name of the table of progress', async (_, sql, kind) => {
      ask(`${pinned} USE traps; ${sql}`);
      await expect(repairDatabase({ url, undo: `${undoLog}.planted` })).rejects.toThrow(
        'that another program created',
      );
      ask(`DROP ${kind} traps.utf8_repair`);
      expect(countSprung()).toBe('0');
    });

    it('run only where triggers may fire', async () => {
      const choice = { allow: ['trigger'] } as const;
      const { repaired } = await repairDatabase({
        url,
        undo: `${undoLog}.2`,
        ...choice,
        tables: ['triggered'],
      });
      expect(repaired?.rows).toBe(1);
      expect(countSprung()).toBe('1');
    });
  });
}

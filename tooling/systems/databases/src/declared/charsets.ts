/** A database with text in every character set of a server, dumped under three connections each. */
import { Random } from '@utf8/oracles/interop/random';
import type { Dump, Origin, Value } from './dump.js';
import type { MariaDbTarget, PostgresTarget } from './server.js';
import { emoji, toCesu8, toHex, toMojibake, words } from './texts.js';

/** A text and the bytes that a column has for it. */
interface Planted {
  readonly origin: Origin;
  readonly text: string;
  readonly bytes: string;
}

/** Texts that reached a column of another character set as bytes. */
const strays: readonly Planted[] = [
  ...[...words, ...emoji].map(
    (text) => ({ origin: 'utf-8', text: toHex(text), bytes: toHex(text) }) as const,
  ),
  ...emoji.map((text) => ({ origin: 'cesu-8', text: toHex(text), bytes: toCesu8(text) }) as const),
];

/** UTF-8 that was encoded twice, for columns that can store all of Unicode. */
const twice: readonly Planted[] = words.map((text) => ({
  origin: 'mojibake',
  text: toHex(text),
  bytes: toMojibake(text),
}));

/** Neither noncharacters nor what files begin with. */
const isText = (character: string): boolean => !/[\p{Cn}\p{Cc}\ufeff]/u.test(character);

/** Rows of some characters, with letters between them, so that no two look like UTF-8 by chance. */
function sample(characters: readonly string[], random: Random): string[] {
  const texts = characters.filter(isText);
  if (texts.length === 0) return ['plain', 'text'];
  return Array.from({ length: 3 }, () =>
    Array.from({ length: 8 }, () => `${random.pick(texts)}x`).join(''),
  );
}

/** The part of a dump about one table, between its start and its end. */
function cutTable(dump: string, table: string, section: RegExp, end: string): Buffer {
  const [start = '', ...sections] = dump.split(section);
  const own: string[] = [];
  // A pattern with one group puts the names between the parts.
  for (let i = 0; i < sections.length; i += 2)
    if (sections[i] === table) own.push(sections[i + 1] as string);
  const last = dump.indexOf(end);
  const tail = last < 0 ? '' : dump.slice(last);
  return Buffer.from([start, ...own.map((each) => each.split(end)[0])].join('') + tail, 'latin1');
}

const unhex = (hex: string): string => Buffer.from(hex, 'hex').toString();

const cellsOf = (output: Buffer): string[][] =>
  output
    .toString()
    .toLowerCase()
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));

interface Row {
  readonly planted: Planted;
  readonly charset: string;
  readonly table: string;
  readonly id: number;
}

/** Creates a row's value in a dump: its bytes, and the text that can be recovered from them. */
function createValue({ planted, id }: Row, bytes: string, isLost: boolean, said: string): Value {
  const place = { row: id, column: 'c', bytes };
  // The dump program itself has lost it.
  if (isLost) return { ...place, origin: 'as declared', text: said };
  return { ...place, origin: planted.origin, text: planted.text };
}

const columns = [{ name: 'c', isBinary: false }];

const UNICODE = ['utf8mb3', 'utf8mb4', 'ucs2', 'utf16', 'utf16le', 'utf32'];

/** Dumps of MariaDB. */
export function dumpMariaDb({ server }: MariaDbTarget, seed: number): Dump[] {
  const random = new Random(seed);
  server.demand('CREATE DATABASE source');
  const ask = (sql: string): string[][] =>
    cellsOf(server.demand(sql, '--init-command=SET group_concat_max_len = 1048576', 'source'));
  const charsets = ask(
    'SELECT CHARACTER_SET_NAME FROM information_schema.CHARACTER_SETS ORDER BY 1',
  )
    .flat()
    .filter((name) => name !== 'binary');
  server.demand(
    `CREATE TABLE characters (c VARCHAR(1) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin) SELECT CONVERT(CHAR(seq USING utf32) USING utf8mb4) c
      FROM (SELECT seq FROM seq_160_to_65535 UNION ALL SELECT seq FROM seq_128512_to_128530) s WHERE seq NOT BETWEEN 55296 AND 57343`,
    'source',
  );
  const repertoires = ask(
    charsets
      .map(
        (set) =>
          `SELECT GROUP_CONCAT(HEX(c)) FROM characters WHERE CONVERT(CONVERT(c USING ${set}) USING utf8mb4) = c;`,
      )
      .join('\n'),
  ).map(([all = '']) => (all === 'null' ? [] : all.split(',').map(unhex)));
  const legacy = charsets.filter((set) => !UNICODE.includes(set));
  const queries = legacy.flatMap((set) =>
    strays.map(
      ({ bytes }) =>
        `SELECT HEX(CONVERT(CONVERT(CONVERT(X'${bytes}' USING ${set}) USING utf8mb4) USING ${set}));`,
    ),
  );
  const back = ask(queries.join('\n')).flat();
  const rows = charsets.flatMap((charset, i): Row[] => {
    const own = sample(repertoires[i] as string[], random).map(
      (text) => ({ origin: 'as declared', text: toHex(text), bytes: toHex(text) }) as const,
    );
    const first = legacy.indexOf(charset) * strays.length;
    // The server does not report bytes that are not characters there.
    const fitting = strays.filter(({ bytes }, j) => first >= 0 && back[first + j] === bytes);
    const pairs = strays.filter(({ origin }) => origin === 'cesu-8' && /^utf8mb/.test(charset));
    const others = first >= 0 ? fitting : [...twice, ...pairs];
    return [
      ...own.map((planted, j) => ({ planted, charset, table: `right_${charset}`, id: j + 1 })),
      ...[...own, ...others].map((planted, j) => ({
        planted,
        charset,
        table: `mixed_${charset}`,
        id: j + 1,
      })),
    ];
  });
  const tables = [...new Set(rows.map(({ table }) => table))];
  const create = tables.map(
    (table) =>
      `CREATE TABLE ${table} (id INT PRIMARY KEY, c VARCHAR(200)) ENGINE=MyISAM CHARACTER SET ${table.replace(/^\w+?_/, '')};\n`,
  );
  const insert = rows.map(({ planted: { origin, bytes }, charset, table, id }) => {
    const isRaw = origin === 'utf-8' || origin === 'cesu-8';
    return `INSERT INTO ${table} VALUES (${id}, CONVERT(X'${bytes}' USING ${isRaw ? charset : 'utf8mb4'}));\n`;
  });
  server.demand([...create, ...insert].join(''), 'source');
  const section = /^--\n-- (?:Table structure|Dumping data) for table `(\w+)`\n/m;
  const end = '/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE';
  const dump = (connection: string, ...names: string[]): string =>
    server.dump(`--default-character-set=${connection}`, 'source', ...names).toString('latin1');
  const whole: Readonly<Record<string, string>> = {
    utf8mb4: dump('utf8mb4'),
    binary: dump('binary'),
    latin1: dump('latin1'),
  };
  return tables.flatMap((table) => {
    const charset = table.replace(/^\w+?_/, '');
    const isClient = !/^(ucs2|utf16|utf16le|utf32|utf8mb4)$/.test(charset);
    return ['utf8mb4', 'binary', isClient ? charset : 'latin1'].map((connection) => {
      const text = whole[connection] ?? dump(connection, table);
      const bytes = cutTable(text, table, section, end);
      const own = rows.filter((row) => row.table === table);
      const said = ask(
        `SELECT HEX(CONVERT(c USING ${connection})), HEX(CONVERT(c USING utf8mb4)), HEX(CONVERT(CONVERT(c USING ${connection}) USING utf8mb4)) FROM ${table} ORDER BY id`,
      );
      const values = own.map((row, i) => {
        const [bytes = '', stored, dumped = ''] = said[i] ?? [];
        return createValue(row, bytes, connection !== 'binary' && stored !== dumped, dumped);
      });
      return {
        name: `${table}, dumped as ${connection}`,
        format: 'mysqldump',
        bytes,
        valueByValue: bytes,
        connection,
        table,
        columns,
        values,
      } as const;
    });
  });
}

/** Letters of many scripts, and some of all characters. */
const letters = (random: Random): string[] => [
  ...[
    [0xa0, 0x17f],
    [0x384, 0x45f],
    [0x5d0, 0x5ea],
    [0x621, 0x64a],
    [0xe01, 0xe30],
    [0x2010, 0x2026],
    [0x2550, 0x2570],
    [0x3041, 0x30f0],
  ].flatMap(([first = 0, last = 0]) =>
    Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i)),
  ),
  ...Array.from({ length: 200 }, () => String.fromCharCode(random.between(0x4e00, 0x9fa0))),
  ...Array.from({ length: 60 }, () => String.fromCharCode(random.between(0xac00, 0xd7a0))),
  '😀',
  '𠮷',
];

/** Dumps of PostgreSQL. */
export function dumpPostgres({ server }: PostgresTarget, seed: number): Dump[] {
  const random = new Random(seed);
  const ask = (sql: string, database = 'loaded'): string[][] =>
    cellsOf(server.demand(sql, '-F', '\t', '-d', database));
  const encodings = server
    .demand(
      "SELECT pg_encoding_to_char(i) FROM generate_series(0, 99) i WHERE pg_encoding_to_char(i) <> ''",
    )
    .toString()
    .trim()
    .split('\n');
  const values = letters(random).map((character) => `('\\x${toHex(character)}'::bytea)`);
  const repertoires = new Map(
    server
      .demand(
        `SELECT e, string_agg(encode(b, 'hex'), ',') FROM unnest('{${encodings}}'::text[]) e, (VALUES ${values}) v (b)
          WHERE look.read(look.spell(convert_from(b, 'UTF8'), e), e) = convert_from(b, 'UTF8') GROUP BY e`,
        '-d',
        'loaded',
      )
      .toString()
      .trim()
      .split('\n')
      .map((line) => line.split('|') as [string, string]),
  );
  const fits = ask(
    `SELECT coalesce(look.spell(look.read(b, e), e) = b, false)::int FROM unnest('{${encodings}}'::text[]) WITH ORDINALITY es (e, i),
      (VALUES ${strays.map(({ bytes }, i) => `(${i}, '\\x${bytes}'::bytea)`)}) v (j, b) ORDER BY i, j`,
  ).flat();
  return encodings.flatMap((encoding, i): Dump[] => {
    // Those of clients alone have their text in UTF8.
    const isServer =
      server.run(
        `CREATE DATABASE "${encoding}" ENCODING '${encoding}' TEMPLATE template0 LOCALE 'C'`,
      ).status === 0;
    const database = isServer ? encoding : 'UTF8';
    const spell = (text: string): string => {
      const [[bytes = ''] = []] = ask(
        `SELECT encode(look.spell(convert_from('\\x${toHex(text)}', 'UTF8'), '${database}'), 'hex')`,
      );
      return bytes;
    };
    const characters = repertoires.get(encoding)?.split(',').map(unhex) ?? [];
    const own = sample(characters, random).map(
      (text) =>
        ({ origin: 'as declared', text: toHex(text), bytes: spell(text) || toHex(text) }) as const,
    );
    const fitting = strays.filter((_, j) => fits[i * strays.length + j] === '1');
    const others =
      encoding === 'SQL_ASCII' ? strays : database === 'UTF8' ? (isServer ? twice : []) : fitting;
    const kinds: readonly (readonly [string, readonly Planted[]])[] = [
      [`right_${encoding}`.toLowerCase(), own],
      [`mixed_${encoding}`.toLowerCase(), [...own, ...others]],
    ];
    const script = kinds.map(([table, planted]) => {
      const rows = planted.map(
        ({ bytes }, j) => `(${j + 1}, convert_from('\\x${bytes}', '${database}'))`,
      );
      return `CREATE TABLE ${table} (id int PRIMARY KEY, c text); INSERT INTO ${table} VALUES ${rows};\n`;
    });
    server.demand(script.join(''), '-d', database);
    // Nothing converts MULE_INTERNAL into UTF-8.
    const connections = ['UTF8', encoding, 'SQL_ASCII'].filter((name) => name !== 'MULE_INTERNAL');
    return [...new Set(connections)].flatMap((connection) => {
      const { status, stdout } = server.runDump(
        `--encoding=${connection}`,
        '-t',
        `*_${encoding.toLowerCase()}`,
        database,
      );
      // It refuses what a connection lacks.
      if (status !== 0) return [];
      return kinds.map(([table, planted]): Dump => {
        const bytes = cutTable(
          stdout.toString('latin1'),
          table,
          /^--\n-- (?:Data for )?Name: (\w+)(?: \w+)?; Type: .*\n/m,
          '--\n-- PostgreSQL database dump complete',
        );
        const rows = planted.map((each, j) => ({
          planted: each,
          charset: encoding,
          table,
          id: j + 1,
        }));
        const said =
          connection === 'SQL_ASCII' || database === 'SQL_ASCII'
            ? planted.map(({ bytes }) => bytes)
            : ask(
                `SELECT encode(convert_to(c, '${connection}'), 'hex') FROM ${table} ORDER BY id`,
                database,
              ).flat();
        return {
          name: `${table}, dumped as ${connection}`,
          format: 'pg_dump',
          bytes,
          valueByValue: bytes,
          connection,
          table,
          columns,
          values: rows.map((row, j) => {
            const value = createValue(row, said[j] as string, false, '');
            // Nothing in the file says which encoding it is.
            return connection === 'SQL_ASCII' &&
              value.bytes !== value.text &&
              value.origin === 'as declared'
              ? { ...value, origin: 'legacy' }
              : value;
          }),
        };
      });
    });
  });
}

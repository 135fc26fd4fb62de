/** Dumps for tests: rows with text of every kind, in each format, the same on every run. */
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** Random numbers that are the same on every run. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Parts of random texts; none of them means anything to a format. */
const PLAIN = ['Grün', '한국어', '漢字', 'text', ' ', '𝄞', 'a long stretch of plain text, or so'];
const PAIRS = ['ED A0 BD ED B8 80', 'ED A1 80 ED B0 80'];
const BROKEN = ['ED A0 BD', 'ED B8 80', 'C1 81', 'FF', 'E0 80', 'F0 9F', 'C0 80'];

/** Bytes that are not text, and stay as they are. */
export const BLOB: Buffer = hex('ED A0 BD FF ED A0 BD ED B8 80');

/** One text in so many contains these. */
export interface Mix {
  readonly pairs: number;
  readonly broken: number;
}

function createText(random: (below: number) => number, { pairs, broken }: Mix): Buffer {
  const parts: Buffer[] = [];
  const pick = <T>(of: readonly T[]): T => of[random(of.length)] as T;
  for (let i = random(4); i >= 0; i--) parts.push(Buffer.from(pick(PLAIN)));
  if (random(pairs) === 0) parts.push(hex(pick(PAIRS)));
  if (random(broken) === 0) parts.push(hex(pick(BROKEN)));
  for (let i = random(2); i > 0; i--) parts.push(Buffer.from(pick(PLAIN)));
  return Buffer.concat(parts);
}

const join = (parts: readonly (Buffer | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));

/** Writes rows in each format, with line feeds inside texts if the format accepts them. */
const writers: Readonly<Record<string, (rows: readonly (readonly Buffer[])[]) => Buffer>> = {
  lines: (rows) => join(rows.flatMap((texts) => [...texts, '\n'])),
  copy: (rows) => join(rows.flatMap(([a = '', b = ''], i) => [`${i}\t`, a, '\t\\N\t', b, '\n'])),
  tab: (rows) => join(rows.flatMap(([a = '', b = ''], i) => [`${i}\t`, a, '\t\\N\t', b, '\\\n\n'])),
  csv: (rows) =>
    join([
      'id,name,"a ""note"""\r\n',
      ...rows.flatMap(([a = '', b = ''], i) => [
        `${i},"`,
        a,
        i % 3 === 0 ? '\n""quoted""\n' : '',
        '","',
        b,
        '"\r\n',
      ]),
    ]),
  tsv: (rows) =>
    join([
      'id\tname\tnote\n',
      ...rows.flatMap(([a = '', b = ''], i) => [`${i}\t`, a, '\t', b, '\n']),
    ]),
  json: (rows) =>
    join([
      '[',
      ...rows.flatMap(([a = '', b = ''], i) => [
        i > 0 ? ',' : '',
        i % 4 === 0 ? '\n  ' : i % 4 === 1 ? '' : '\n',
        i % 3 === 0 ? `{\n    "id": ${i},\n    "name": "` : `{"id":${i},"name":"`,
        a,
        '","x":["',
        b,
        i % 3 === 0 ? '"]\n  }' : '"]}',
      ]),
      '\n]\n',
    ]),
  jsonl: (rows) =>
    join(rows.flatMap(([a = '', b = ''], i) => [`{"id":${i},"name":"`, a, '","x":["', b, '"]}\n'])),
  mysqldump: (rows) => {
    const parts: (Buffer | string)[] = [
      '-- a comment\nSET NAMES utf8mb4;\nCREATE TABLE `t` (`id` int, `a` text, b blob);\n',
    ];
    for (let i = 0; i < rows.length; i += 5) {
      parts.push('INSERT INTO `t` VALUES ');
      for (const [j, [a = '']] of rows.slice(i, i + 5).entries()) {
        parts.push(j > 0 ? ',' : '', `(${i + j},'`, a, `\\'\n',_binary '`, BLOB, "')");
      }
      parts.push(';\n');
    }
    return join(parts);
  },
  pg_dump: (rows) =>
    join([
      'CREATE TABLE t (id int, a text, b text);\nCOPY public.t (id, a, b) FROM stdin;\n',
      ...rows.flatMap(([a = '', b = ''], i) => [`${i}\t`, a, '\t', b, '\n']),
      '\\.\n\nSELECT 1;\n',
    ]),
  sqlite: (rows) =>
    join([
      'PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE t(id, a TEXT, "b;" z, d BLOB);\n',
      ...rows.flatMap(([a = '', b = ''], i) => [
        `INSERT INTO t VALUES(${i},'`,
        a,
        "''s',replace('",
        b,
        "\\n','\\n',char(10)),X'EDA0BD');\n",
      ]),
      'CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END;\nCOMMIT;\n',
    ]),
};

/** Options without which a format does not change these dumps. */
export const formatOptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tab: { assume: 'text' },
};

/** Returns the format and these options as arguments of the command. */
export const formatArgs = (format: string): string[] => [
  '--format',
  format,
  ...Object.entries(formatOptions[format] ?? {}).flatMap(([name, value]) => [`--${name}`, value]),
];

/** Creates a dump. */
export function createDump(
  format: string,
  seed: number,
  rows: number,
  mix: Mix = { pairs: 4, broken: 20 },
): Buffer {
  const random = createRandom(seed);
  const texts = Array.from({ length: rows }, () => [
    createText(random, mix),
    createText(random, mix),
  ]);
  const write = writers[format];
  if (!write) throw new Error(`no rows are written in ${format} yet`);
  return write(texts);
}

/** Encodes text as CESU-8 does: characters above U+FFFF as two surrogates of three bytes (UTR #26). */
export const spellPair = (text: string): Buffer =>
  Buffer.concat(
    Array.from({ length: text.length }, (_, i) => {
      const unit = text.charCodeAt(i);
      if (unit < 0xd800 || unit > 0xdfff) return Buffer.from(text[i] as string);
      return Buffer.of(0xed, 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
    }),
  );

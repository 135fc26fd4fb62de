// Dumps of every format, with text of every kind, the same for the same seed.

const PLAIN = ['Grün', '한국어', '漢字', 'text', ' ', '𝄞', 'a long stretch of plain text, or so'];
const PAIRS = ['EDA0BDEDB880', 'EDA180EDB080'];
const BROKEN = ['EDA0BD', 'EDB880', 'C181', 'FF', 'E080', 'F09F', 'C080'];

const join = (parts) => Buffer.concat(parts.map((part) => Buffer.from(part)));

/** Writers of rows of two texts, by format. */
const writers = {
  none: (rows) => join(rows.flatMap(([a, b]) => [a, ' ', b, '\n'])),
  lines: (rows) => join(rows.flatMap(([a, b]) => [a, b, '\n'])),
  copy: (rows) => join(rows.flatMap(([a, b], i) => [`${i}\t`, a, '\t\\N\t', b, '\n'])),
  tab: (rows) => join(rows.flatMap(([a, b], i) => [`${i}\t`, a, '\t\\N\t', b, '\n'])),
  csv: (rows) =>
    join(['id,name,note\n', ...rows.flatMap(([a, b], i) => [`${i},"`, a, '\n""x""","', b, '"\n'])]),
  tsv: (rows) => join(['id\tname\n', ...rows.flatMap(([a, b], i) => [`${i}\t`, a, b, '\n'])]),
  jsonl: (rows) =>
    join(rows.flatMap(([a, b], i) => [`{"id":${i},"name":"`, a, '","tags":["', b, '"]}\n'])),
  mysqldump: (rows) =>
    join([
      'SET NAMES utf8mb4;\nCREATE TABLE `t` (`id` int, `a` text, `b` blob) CHARSET=utf8mb4;\n',
      ...rows.flatMap(([a, b], i) => [
        i % 50 === 0 ? 'INSERT INTO `t` VALUES (' : ',(',
        `${i},'`,
        a,
        "',_binary '",
        b,
        i % 50 === 49 || i === rows.length - 1 ? "');\n" : "')",
      ]),
    ]),
  pg_dump: (rows) =>
    join([
      "SET client_encoding = 'UTF8';\nCREATE TABLE t (id int, a text, b text);\nCOPY t (id, a, b) FROM stdin;\n",
      ...rows.flatMap(([a, b], i) => [`${i}\t`, a, '\t', b, '\n']),
      '\\.\n',
    ]),
};

/** Creates a dump. */
export function createDump(format, seed, rows) {
  let state = seed;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = (list) => list[random(list.length)];
  const createText = () => {
    const parts = [];
    for (let i = random(4); i >= 0; i--) parts.push(Buffer.from(pick(PLAIN)));
    if (random(5) === 0) parts.push(Buffer.from(pick(PAIRS), 'hex'));
    if (random(60) === 0) parts.push(Buffer.from(pick(BROKEN), 'hex'));
    for (let i = random(3); i > 0; i--) parts.push(Buffer.from(pick(PLAIN)));
    return Buffer.concat(parts);
  };
  return writers[format](Array.from({ length: rows }, () => [createText(), createText()]));
}

/** Input files of the commands: posts as records, damaged as Oracle or MySQL damages them. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { spellingOf } from '../arena/codecs.mjs';
import { makeTexts } from '../arena/corpora.mjs';
import { encode } from '../arena/reference.mjs';

/** Distance of the damaged rows, by name; a damaged row has one CESU-8 pair. */
export const DAMAGES = { none: Infinity, 'one in ten': 10, all: 1 };

const SQL = (/** @type {string} */ text) => text.replaceAll("'", "''");

/**
 * @typedef {object} Format
 * @property {string} head
 * @property {string} tail
 * @property {(text: string) => string} escape
 * @property {(id: number, author: string, body: string) => string} row
 * @property {readonly [before: string, between: string, after: string]} [group] - Around and between 1000 rows.
 */

/** @satisfies {Record<string, Format>} */
export const FORMATS = {
  plain: {
    head: '',
    tail: '',
    escape: SQL,
    row: (id, author, body) =>
      `INSERT INTO posts (id, author, body) VALUES (${id}, '${author}', '${body}');\n`,
  },
  csv: {
    head: 'id,author,"body"\n', // as DuckDB quotes columns
    tail: '',
    escape: (text) => text.replaceAll('"', '""'),
    row: (id, author, body) => `${id},${author},"${body}"\n`,
  },
  copy: {
    head: '',
    tail: '',
    escape: (text) => text,
    row: (id, author, body) => `${id}\t${author}\t${body}\n`,
  },
  jsonl: {
    head: '',
    tail: '',
    escape: (text) => text.replaceAll('"', '\\"'),
    row: (id, author, body) => `{"id":${id},"author":"${author}","body":"${body}"}\n`,
  },
  mysqldump: {
    head: `-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
/*!50503 SET NAMES utf8mb4 */;
CREATE TABLE \`posts\` (
  \`id\` int NOT NULL,
  \`author\` varchar(255) DEFAULT NULL,
  \`body\` text,
  PRIMARY KEY (\`id\`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
`,
    tail: '-- Dump completed\n',
    escape: (text) => text.replaceAll(/['"]/g, '\\$&'),
    row: (id, author, body) => `(${id},'${author}','${body}')`,
    group: ['INSERT INTO `posts` VALUES ', ',', ';\n'],
  },
  pg_dump: {
    head: `--
-- PostgreSQL database dump
--

SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;

CREATE TABLE public.posts (
    id integer NOT NULL,
    author text,
    body text
);

COPY public.posts (id, author, body) FROM stdin;
`,
    tail: '\\.\n\n\n--\n-- PostgreSQL database dump complete\n--\n\n',
    escape: (text) => text,
    row: (id, author, body) => `${id}\t${author}\t${body}\n`,
  },
};

/** Authors and texts in several languages, without an emoji; one in eight has quotes. */
const posts = [
  .../** @type {string} */ (makeTexts('dump', 128 * 1024, 1)[0]).matchAll(
    /'(user\d+)', '([^']+)'\);/g,
  ),
].map(([, author = '', body = ''], i) => ({
  author,
  body: body.replace(/ ?\p{Extended_Pictographic}$/u, '') + (i % 8 === 0 ? ` it's "so"` : ''),
}));

/** Encodes a text as a string of one character per byte, which joins and writes fast. @param {string} text @param {string} variant */
const binary = (text, variant) => Buffer.from(encode(text, spellingOf(variant))).toString('latin1');

/**
 * Writes records in CESU-8, and the same in UTF-8.
 *
 * @param {keyof typeof FORMATS} format
 * @param {keyof typeof DAMAGES} damage
 * @param {number} size - In bytes; the files end with the group of rows that reaches it.
 * @param {string} source - Path of the CESU-8.
 * @param {string} twin - Path of the UTF-8.
 * @returns {{ rows: number, damaged: number, size: number }} `size` is that of the source.
 */
export function writeRows(format, damage, size, source, twin) {
  /** @type {Format} */
  const { head, tail, row, group: [before, between, after] = ['', '', ''] } = FORMATS[format];
  const every = DAMAGES[damage];
  const pool = posts.map(({ author, body }, i) => {
    const emoji = ` ${String.fromCodePoint(0x1f600 + (i % 0x50))}`;
    const clean = binary(FORMATS[format].escape(body), 'utf-8');
    const of = (/** @type {string} */ variant) => clean + binary(emoji, variant);
    return { author, clean, cesu: of('cesu-8'), utf: of('utf-8') };
  });
  const files = [openSync(source, 'w'), openSync(twin, 'w')];
  const lengths = [0, 0];
  const put = (/** @type {readonly string[]} */ texts) =>
    texts.forEach((text, i) => {
      lengths[i] = (lengths[i] ?? 0) + writeSync(files[i] ?? 0, Buffer.from(text, 'latin1'));
    });
  let [rows, damaged] = [0, 0];
  put([head, head]);
  while ((lengths[0] ?? 0) < size) {
    /** @type {[string[], string[]]} */
    const lists = [[], []];
    // A group of the smallest inputs ends with the size, too.
    for (let length = 0; lists[0].length < 1000 && length < size; rows++) {
      const post = /** @type {(typeof pool)[0]} */ (pool[rows % pool.length]);
      const isDamaged = (rows + 1) % every === 0;
      if (isDamaged) damaged++;
      lists[0].push(row(rows + 1, post.author, isDamaged ? post.cesu : post.clean));
      lists[1].push(row(rows + 1, post.author, isDamaged ? post.utf : post.clean));
      length += lists[0].at(-1)?.length ?? 0;
    }
    put(lists.map((list) => before + list.join(between) + after));
  }
  put([tail, tail]);
  for (const file of files) {
    fsyncSync(file); // or the system writes it while programs are timed
    closeSync(file);
  }
  return { rows, damaged, size: lengths[0] ?? 0 };
}

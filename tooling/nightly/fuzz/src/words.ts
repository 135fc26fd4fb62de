/** Fragments of inputs, by kind of input. */

import type { Grammar } from '@utf8/core';
import { edgeBytes } from '../../../conformance/src/cases.js';

const edges = new WeakMap<Grammar, readonly Uint8Array[]>();

/**
 * The bytes at the edges of a grammar's ranges and those next to them. The first and the last unit of each row, and
 * those just outside the range of its second byte: an overlong form, a surrogate, a number that is too high.
 */
export function edgeWords(grammar: Grammar): readonly Uint8Array[] {
  let words = edges.get(grammar);
  if (!words) {
    const bytes = edgeBytes(grammar).map((byte) => [byte]);
    words = [...bytes, ...edgeUnits(grammar)].map((word) => Uint8Array.from(word));
    edges.set(grammar, words);
  }
  return words;
}

function edgeUnits({ rows }: Grammar): number[][] {
  return rows.flatMap((row) =>
    row.units.flatMap(([lead, second, ...trails]) => {
      if (!lead || !second) return [];
      const begin = (byte: number): number[] => [
        lead.first,
        byte,
        ...trails.map((each) => each.first),
      ];
      const end = (byte: number): number[] => [lead.last, byte, ...trails.map((each) => each.last)];
      return [
        begin(second.first),
        end(second.last),
        ...(second.first > 0x80 ? [end(second.first - 1)] : []),
        ...(second.last < 0xbf ? [begin(second.last + 1)] : []),
      ];
    }),
  );
}

/** The words of dumps, and what separates them. */
export const dumpWords: readonly string[] = [
  ...[
    'INSERT INTO t VALUES ',
    "(1,'a')",
    "(2,'b'),",
    'CREATE TABLE t (',
    'id int, ',
    'a text',
    'b blob',
  ],
  ...[
    ');\n',
    ';\n',
    "'",
    '"',
    '`',
    '\\',
    "''",
    '\\N',
    '\\.\n',
    '\t',
    '\n',
    '\r\n',
    ',',
    '/*!40101 ',
    '*/',
  ],
  ...[
    '-- ',
    '#',
    "_binary '",
    '0xEDA0BD',
    "X'EDA0BD'",
    "E'\\xED'",
    '$$',
    'NULL',
    'DEFAULT',
    'SET NAMES utf8',
  ],
  ...[
    'COPY t (a, b) FROM stdin;\n',
    'json',
    'jsonb',
    'text[]',
    'varchar(3)',
    'CHARACTER SET utf8',
    'UNIQUE (a)',
  ],
  ...[
    'DELIMITER ;;\n',
    'CREATE TRIGGER g AFTER INSERT ON t BEGIN ',
    'END',
    'ALTER TABLE t ADD ',
    'USE d;\n',
  ],
  ...[
    "replace('a\\n','\\n',char(10))",
    'unistr(',
    'INSERT INTO t SET a=',
    'REPLACE INTO ',
    'ON DUPLICATE KEY',
  ],
  ...[
    '{',
    '}',
    '[',
    ']',
    ':',
    '{"a":"b"}',
    '\\ud83d\\ude00',
    '\\ud83d',
    '\\u0000',
    '\\0',
    'true',
    '1e5',
  ],
  ...['\\355\\240\\275\\355\\270\\200', '\\xED\\xA0\\xBD', '\ufeff', 'é', '\u{1f600}'],
];

/** Two surrogates of three bytes, one of them, and other repaired sequences. */
export const faultWords: readonly Uint8Array[] = [
  'eda0bdedb880',
  'eda0bd',
  'edb880',
  'f09f9880',
  'c080',
  'c383c2a9',
  'ff',
  'e282',
].map((hex) => Buffer.from(hex, 'hex'));

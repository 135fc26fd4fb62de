/**
 * Compares @utf8/strict/mb3 with a column of MariaDB in `CHARACTER SET utf8mb3`, in strict mode: what an INSERT
 * accepts and refuses, and what the column then contains.
 */
import { generateBytes } from '@utf8/oracles/interop/corpus';
import { readAs } from '@utf8/oracles/interop/reading';
import * as utf8 from '@utf8/strict';
import * as mb3 from '@utf8/strict/mb3';
import { afterAll, describe, expect, it } from 'vitest';
import { MariaDb } from '../src/mariadb.js';
import { seed } from '../src/seed.js';

const mariadb = await MariaDb.start();
afterAll(() => mariadb.stop());

/**
 * Differences between MariaDB and our codec, each with the rule that decides. The tests predict and check
 * them.
 */
const disagreements = {
  surrogates: {
    they: 'accept surrogates, alone and in pairs; as UTF-16 each of them is "?"',
    we: 'refuse them, three faults each',
    standard: 'RFC 3629, section 3: UTF-8 prohibits U+D800 to U+DFFF',
    row: 'ED A0-BF 80-BF',
    examples: ['ED A0 80', 'ED BF BF', 'ED A0 BD ED B8 80'],
  },
  replacement: {
    they: 'write "?" for what is above U+FFFF, outside strict mode',
    we: 'write U+FFFD under `replace`',
    standard: 'Unicode 16.0, section 23.8: U+FFFD replaces a character that cannot be converted',
    example: { text: 'A😀B', theirs: '413F42', ours: '41EFBFBD42' },
  },
} as const;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();

const parse = (digits: string): Uint8Array =>
  Uint8Array.from(Buffer.from(digits.replaceAll(' ', ''), 'hex'));

/** Reader that predicts MariaDB's answers. */
const reader = readAs(mb3.grammar, [disagreements.surrogates.row]);

/** The line that the server should answer for an input: nothing if it refuses it. */
function predict(bytes: Uint8Array): string | undefined {
  if (reader.findFault(bytes)) return undefined;
  const codePoints = Array.from(reader.decodeCodePoints(bytes), Number);
  const units = codePoints.map((codePoint) => {
    const unit = codePoint >= 0xd800 && codePoint <= 0xdfff ? '?'.charCodeAt(0) : codePoint;
    return unit.toString(16).toUpperCase().padStart(4, '0');
  });
  return [hex(bytes), codePoints.length, units.join('')].join('\t');
}

/** All strings over some bytes, up to a length. */
function combine(bytes: readonly number[], length: number): Uint8Array[] {
  const lengths: number[][][] = [[[]]];
  for (let i = 0; i < length; i++) {
    const shorter = lengths.at(-1) as number[][];
    lengths.push(shorter.flatMap((string) => bytes.map((byte) => [...string, byte])));
  }
  return lengths.flat().map((string) => Uint8Array.from(string));
}

/** The byte strings at the edges of the rows, and those one byte away from them, whole and cut short. */
function combineEdges(): Uint8Array[] {
  return [...mb3.grammar.rows, ...utf8.grammar.rows].flatMap(({ units }) => {
    const ranges = units.flat();
    return ranges.flatMap((_, cut) =>
      ranges
        .slice(0, cut + 1)
        .reduce<Uint8Array[]>(
          (strings, { first, last }) =>
            strings.flatMap((string) =>
              [first - 1, first, last, last + 1]
                .filter((byte) => byte >= 0 && byte <= 0xff)
                .map((byte) => Uint8Array.of(...string, byte)),
            ),
          [Uint8Array.of()],
        ),
    );
  });
}

/** A number of the BMP in the scheme of UTF-8, surrogates included. */
function spell(codePoint: number): Uint8Array {
  if (codePoint < 0x80) return Uint8Array.of(codePoint);
  const last = 0x80 | (codePoint & 0x3f);
  if (codePoint < 0x800) return Uint8Array.of(0xc0 | (codePoint >> 6), last);
  return Uint8Array.of(0xe0 | (codePoint >> 12), 0x80 | ((codePoint >> 6) & 0x3f), last);
}

describe('a column in utf8mb3', () => {
  mariadb.demand(`
    CREATE DATABASE mb3;
    USE mb3;
    CREATE TABLE inputs (id INT PRIMARY KEY, bytes VARBINARY(200)) ENGINE=MyISAM;
    CREATE TABLE texts (id INT PRIMARY KEY, text VARCHAR(200) CHARACTER SET utf8mb3) ENGINE=MyISAM;
    CREATE TABLE wide (id INT PRIMARY KEY, text VARCHAR(200) CHARACTER SET utf8mb4) ENGINE=MyISAM;
    SET sql_mode = 'STRICT_ALL_TABLES';
    DELIMITER //
    CREATE PROCEDURE insert_all()
    BEGIN
      DECLARE number INT;
      DECLARE value VARBINARY(200);
      DECLARE done INT DEFAULT 0;
      DECLARE source CURSOR FOR SELECT id, bytes FROM inputs;
      DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1;
      -- "Incorrect string value": the row is refused.
      DECLARE CONTINUE HANDLER FOR 1366 BEGIN END;
      OPEN source;
      inputs: LOOP
        FETCH source INTO number, value;
        IF done THEN LEAVE inputs; END IF;
        INSERT INTO texts VALUES (number, value);
      END LOOP;
    END//
    DELIMITER ;
  `);

  /** Reads the content of the column, by the number of the input. */
  function readTexts(): Map<number, string> {
    const select =
      'SELECT id, HEX(text), CHAR_LENGTH(text), HEX(CONVERT(text USING utf16)) FROM texts ORDER BY id';
    const lines = mariadb.demand(select, 'mb3').toString().split('\n').slice(0, -1);
    return new Map(
      lines.map((line) => {
        const [id = '', ...rest] = line.split('\t');
        return [Number(id), rest.join('\t')];
      }),
    );
  }

  /** Inserts each input separately, and compares the accepted inputs and the stored text. */
  function compare(inputs: readonly Uint8Array[]): void {
    const values = inputs.map((bytes, i) => `(${i},X'${hex(bytes)}')`);
    const inserts: string[] = [];
    for (let i = 0; i < values.length; i += 5000) {
      inserts.push(`INSERT INTO inputs VALUES ${values.slice(i, i + 5000).join(',')};\n`);
    }
    const clear = 'TRUNCATE inputs; TRUNCATE texts;\n';
    mariadb.demand(`${clear}${inserts.join('')}CALL insert_all();`, 'mb3');
    checkTexts(inputs);
  }

  function checkTexts(inputs: readonly Uint8Array[]): void {
    const texts = readTexts();
    let disagreed = 0;
    const unlisted = inputs.flatMap((bytes, i) => {
      const expected = predict(bytes);
      if ((expected === undefined) === mb3.isValid(bytes)) disagreed++;
      return texts.get(i) === expected ? [] : [`${hex(bytes)}: ${texts.get(i)}, not ${expected}`];
    });
    expect(unlisted.slice(0, 10), `${unlisted.length} unlisted`).toEqual([]);
    // Inputs show little where all are accepted, or refused.
    expect(texts.size).toBeGreaterThan(disagreed);
    expect(texts.size).toBeLessThan(inputs.length);
    expect(disagreed).toBeGreaterThan(0);
  }

  it('accepts what is listed, as it stands', () => {
    const examples = disagreements.surrogates.examples.map(parse);
    compare([...examples, parse('41'), parse('F0 9F 98 80')]);
    expect(examples.map((bytes) => mb3.isValid(bytes))).toEqual([false, false, false]);
  });

  it('accepts what @utf8/strict/mb3 does: one input of every class of bytes, to length 4', () => {
    const classes = [
      0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec,
      0xed, 0xee, 0xef, 0xf0, 0xf4, 0xff,
    ];
    compare(combine(classes, 4));
  });

  it('accepts what @utf8/strict/mb3 does: at the edges of all rows, and one byte beside them', () => {
    compare(combineEdges());
  });

  it('accepts what @utf8/strict/mb3 does: all of U+0000 to U+FFFF, and the pairs of their surrogates', () => {
    const codePoints = Array.from({ length: 0x10000 }, (_, codePoint) => spell(codePoint));
    const surrogates = [0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000].map(spell);
    const pairs = surrogates.flatMap((a) => surrogates.map((b) => Uint8Array.of(...a, ...b)));
    compare([...codePoints, ...pairs, parse('FF')]);
  });

  it('accepts what @utf8/strict/mb3 does: random bytes', () => {
    compare([...generateBytes(seed, 20_000)].filter((bytes) => bytes.length <= 200));
  });

  it.each(['utf8mb3', 'utf8mb4', 'binary'])(
    'accepts the same in quotation marks, from a client in %s',
    (characterSet) => {
      // Characters that SQL interprets must not be in quotation marks, and a line is one statement.
      const inputs = combineEdges().filter((bytes) => !bytes.some((byte) => byte < 0x20));
      const quote = (bytes: Uint8Array): string =>
        Buffer.from(bytes).toString('latin1').replace(/['\\]/g, '\\$&');
      const statements = inputs.map(
        (bytes, i) => `INSERT INTO texts VALUES (${i},'${quote(bytes)}');\n`,
      );
      const script = `TRUNCATE texts; SET NAMES ${characterSet};\nSET sql_mode = 'STRICT_ALL_TABLES';\n`;
      mariadb.run(Buffer.from(script + statements.join(''), 'latin1'), '--force', 'mb3');
      checkTexts(inputs);
    },
  );

  it('contains what @utf8/strict/mb3 writes, where it is filled from utf8mb4', () => {
    const { text, theirs, ours } = disagreements.replacement.example;
    expect(hex(mb3.encode(text, { errors: 'replace' }))).toBe(ours);
    const row = (first: number): string =>
      String.fromCodePoint(...Array.from({ length: 64 }, (_, i) => first + i));
    const bmp = Array.from({ length: 0x10000 / 64 }, (_, i) => row(i * 64));
    const above = Array.from({ length: 0x100000 / 64 / 64 }, (_, i) => row(0x10000 + i * 64 * 64));
    const texts = [text, ...bmp.filter((each) => each.isWellFormed()), ...above];
    const values = texts.map((each, i) => `(${i},X'${hex(utf8.encode(each))}')`).join(',');
    mariadb.demand(`TRUNCATE wide; TRUNCATE texts; INSERT INTO wide VALUES ${values};`, 'mb3');
    mariadb.demand(`SET sql_mode = ''; INSERT INTO texts SELECT id, text FROM wide;`, 'mb3');
    const written = readTexts();
    expect(written.get(0)?.split('\t')[0]).toBe(theirs);
    for (const [i, each] of texts.entries()) {
      const expected = hex(mb3.encode(each.replace(/[\u{10000}-\u{10ffff}]/gu, '?')));
      expect(written.get(i)?.split('\t')[0], each).toBe(expected);
    }
    const { status, stderr } = mariadb.run(
      `TRUNCATE texts; SET sql_mode = 'STRICT_ALL_TABLES'; INSERT INTO texts SELECT id, text FROM wide WHERE id = 0;`,
      'mb3',
    );
    expect([status, /Incorrect string value/.test(stderr)]).toEqual([1, true]);
    expect(() => mb3.encode(text)).toThrow(mb3.EncodeError);
  });
});

/** Values that PostgreSQL spells in structures of their own, damaged, converted, and loaded. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '@utf8/oracles/interop/random';
import { createRepairer, type Structure, type SurrogatePolicy } from '@utf8/repair';
import { afterAll, describe, expect, it } from 'vitest';
import { choose, scale } from '../../../tiers/tier.js';
import { Postgres } from '../src/postgres.js';
import { seed } from '../src/seed.js';
import { demandUtf8, utf8 } from '../src/utf8.js';

const postgres = await Postgres.start();
afterAll(() => postgres.stop());

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Spells a value as COPY does; the value is latin1. */
const toCopy = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');

const JSON_VALUE: Structure = { is: 'json' };

const HIGH = '\xed\xa0\xbd';
const LOW = '\xed\xb8\x80';
const DAMAGES = [HIGH, LOW, '\xff', `${HIGH}${LOW}`, '\xc0\xaf', `a${HIGH}b\xffc`];

/** Returns the expected text for damage, by the literal rules of the policies. */
function expectText(damage: string, policy: SurrogatePolicy): string {
  const unit = (name: string): string => (policy === 'escape' ? `\\u${name}` : '\ufffd');
  const bytes = policy === 'escape' ? (hex: string) => `\\x${hex}` : () => '\ufffd';
  return damage
    .replaceAll(HIGH + LOW, '😀')
    .replaceAll(HIGH, unit('d83d'))
    .replaceAll(LOW, unit('de00'))
    .replaceAll('\xff', bytes('ff'))
    .replaceAll('\xc0\xaf', policy === 'escape' ? '\\xc0\\xaf' : '\ufffd');
}

/** A column, how its values spell a text, and the query that returns the text. */
interface Column {
  readonly type: string;
  readonly structure: Structure;
  /** The value in latin1, with a text in latin1 in it. */
  readonly spell: readonly ((text: string) => string)[];
  /** Of a value `v`. */
  readonly query: string;
}

const quoteElement = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
const quoteField = (text: string): string => `"${text.replace(/["\\]/g, '$&$&')}"`;
const quoteJson = (text: string): string => `"${text}"`;

const columns: Readonly<Record<string, Column>> = {
  json: {
    type: 'json',
    structure: JSON_VALUE,
    spell: [(t) => `{"k": "x${t}y"}`, (t) => `{"k":"x${t}y", "z": [1, null]}`],
    query: "v->>'k'",
  },
  jsonb: {
    type: 'jsonb',
    structure: JSON_VALUE,
    spell: [(t) => `{"k": "x${t}y"}`, (t) => `{"n": {"\\u00e9": 1.5e3}, "k":"x${t}y"}`],
    query: "v->>'k'",
  },
  'key of jsonb': {
    type: 'jsonb',
    structure: JSON_VALUE,
    spell: [(t) => `{"x${t}y": true}`],
    query: '(SELECT jsonb_object_keys(v))',
  },
  'text[]': {
    type: 'text[]',
    structure: { is: 'array' },
    spell: [
      (t) => `{${quoteElement(`x${t}y`)},NULL}`,
      (t) => `{x${t}y,"NULL"}`,
      (t) => `[0:0]={x${t}y}`,
      (t) => `{ x${t}y , {}`.replace(', {}', '}'),
    ],
    query: 'v[array_lower(v, 1)]',
  },
  'text[][]': {
    type: 'text[]',
    structure: { is: 'array' },
    spell: [(t) => `{{a,x${t}y},{"b","c"}}`],
    query: 'v[1][2]',
  },
  'jsonb[]': {
    type: 'jsonb[]',
    structure: { is: 'array', of: JSON_VALUE },
    spell: [(t) => `{${quoteElement(`{"k": "x${t}y"}`)},"1"}`],
    query: "v[1]->>'k'",
  },
  composite: {
    type: 'pair',
    structure: { is: 'composite', of: [null, JSON_VALUE] },
    spell: [(t) => `(${quoteField(`x${t}y`)},)`, (t) => `(x${t}y,1)`],
    query: '(v).name',
  },
  'jsonb in a composite': {
    type: 'pair',
    structure: { is: 'composite', of: [null, JSON_VALUE] },
    spell: [(t) => `(,${quoteField(`{"k": ${quoteJson(`x${t}y`)}}`)})`],
    query: "(v).doc->>'k'",
  },
  'composite[]': {
    type: 'pair[]',
    structure: { is: 'array', of: { is: 'composite', of: [null, JSON_VALUE] } },
    spell: [
      (t) => `{${quoteElement(`(${quoteField(`x${t}y`)},)`)}}`,
      (t) => `{NULL,${quoteElement(`(x${t}y,1)`)}}`,
    ],
    query: '(coalesce(v[2], v[1])).name',
  },
  'array in a composite': {
    type: 'list',
    structure: { is: 'composite', of: [null, { is: 'array' }] },
    spell: [(t) => `(1,${quoteField(`{${quoteElement(`x${t}y`)}}`)})`],
    query: '(v).names[1]',
  },
  hstore: {
    type: 'hstore',
    structure: { is: 'hstore' },
    spell: [(t) => `"k"=>"x${t}y"`, (t) => `a=>NULL, k=>x${t}y`],
    query: "v->'k'",
  },
  'key of hstore': {
    type: 'hstore',
    structure: { is: 'hstore' },
    spell: [(t) => `"x${t}y"=>"1"`],
    query: 'akeys(v)::text[]',
  },
};

const copySyntax = {
  escaper: 0x5c,
  letters: { b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 },
  codes: /(?!)()|(?!)()|x([\dA-Fa-f]{1,2})|([0-7]{1,3})/y,
};

const TYPES = `CREATE EXTENSION IF NOT EXISTS hstore;
  DROP TYPE IF EXISTS pair CASCADE; CREATE TYPE pair AS (name text, doc jsonb);
  DROP TYPE IF EXISTS list CASCADE; CREATE TYPE list AS (id int, names text[]);`;

describe('a value in a column of', () => {
  it.each(Object.entries(columns))('%s is loaded as it was meant', (name, column) => {
    for (const policy of ['escape', 'replace'] as const) {
      const repair = createRepairer({
        from: 'cesu-8+utf-8',
        unpairedSurrogates: policy,
        errors: policy === 'escape' ? 'escape' : 'replace',
      });
      const rows: Buffer[] = [];
      const expected: string[] = [];
      for (const spell of column.spell) {
        for (const damage of DAMAGES) {
          const source = latin(toCopy(spell(damage)));
          const { status, bytes } = repair(source, {
            escapes: true,
            value: {
              syntaxes: [copySyntax],
              structure: column.structure,
            },
          });
          expect([status, source.toString('latin1')]).toEqual([
            'changed',
            source.toString('latin1'),
          ]);
          const again = repair(bytes, {
            escapes: true,
            value: {
              syntaxes: [copySyntax],
              structure: column.structure,
            },
          });
          expect(again.status).toBe('unchanged');
          rows.push(latin(`${rows.length}\t`), Buffer.from(bytes), latin('\n'));
          const text = `x${expectText(damage, policy)}y`;
          // An array of keys, as it is written.
          const shown = name === 'key of hstore' ? `{${quoteAsNeeded(text)}}` : text;
          expected.push(Buffer.from(shown).toString('hex'));
        }
      }
      const numbered = rows.map((row, i) => (i % 3 === 0 ? latin(`${i / 3}\t`) : row));
      const script = [
        latin(`${TYPES} DROP TABLE IF EXISTS t; CREATE TABLE t (id int, v ${column.type});\n`),
        latin('COPY t FROM stdin;\n'),
        ...numbered,
        latin('\\.\n'),
        latin(
          `SELECT encode(convert_to((${column.query})::text, 'UTF8'), 'hex') FROM t ORDER BY id;`,
        ),
      ];
      const output = postgres.demand(Buffer.concat(script), '-d', 'postgres').toString();
      expect(output.trim().split('\n')).toEqual(expected);
    }
  });
});

const quoteAsNeeded = (text: string): string =>
  /[\\"{},\s]/.test(text) ? quoteElement(text) : text;

describe('the command, with --json-columns', () => {
  it('makes columns of json and jsonb loadable, from COPY and CSV', () => {
    const values = [
      `{"k": "x${HIGH}y"}`,
      '{"k": "x\\ud83dy"}',
      `{"k": "x\\ud83d${LOW}y"}`,
      `{"k": "x\\ud83d\\ude00y"}`,
      `{"k": "x\\\\ud83dy"}`,
      '{"k": "x\\u0000y"}',
      '{"k": "x\xffy"}',
    ];
    const texts = ['x\\ud83dy', 'x\\ud83dy', 'x😀y', 'x😀y', 'x\\ud83dy', 'x\ufffdy', 'x\\xffy'];
    const convert = ['convert', '-f', 'cesu-8+utf-8', '--unpaired-surrogates', 'escape'];
    convert.push('--errors', 'escape', '--nul', 'replace', '--json-columns');
    const copied = latin(values.map((value, i) => `${i}\t${toCopy(value)}\n`).join(''));
    const quoted = latin(
      values.map((value, i) => `${i},"${value.replaceAll('"', '""')}"\n`).join(''),
    );
    const ways = [
      { args: ['--format', 'copy', '--columns', 'id,v', 'v'], input: copied, words: '' },
      { args: ['--format', 'csv', '--no-header', '2'], input: quoted, words: '(FORMAT csv)' },
    ];
    for (const { args, input, words } of ways) {
      const column = args.pop() as string;
      const output = demandUtf8([...convert, column, ...args], input);
      expect(demandUtf8([...convert, column, ...args], output)).toEqual(output);
      const file = join(postgres.folder, 'json.data');
      writeFileSync(file, output);
      for (const type of ['json', 'jsonb']) {
        const shown = postgres.demand(
          `DROP TABLE IF EXISTS j; CREATE TABLE j (id int, v ${type}); COPY j FROM '${file}' ${words};
          SELECT encode(convert_to(v->>'k', 'UTF8'), 'hex') FROM j ORDER BY id`,
        );
        expect(shown.toString().trim().split('\n')).toEqual(
          texts.map((text) => Buffer.from(text).toString('hex')),
        );
      }
    }
  });

  it('refuses keys that jsonb would drop', () => {
    const rows = latin(`1\t{"${HIGH}${LOW}": 1, "\xf0\x9f\x98\x80": 2}\n2\t{"a": 1, "a": 2}\n`);
    const args = ['-f', 'cesu-8+utf-8', '--format', 'copy', '--json-columns', '2'];
    const { status, stderr } = utf8(['convert', ...args], rows);
    expect([status, stderr.split('\n')[0]]).toEqual([
      1,
      '-:1: column 2 (record 1): offset 17: equal-json-keys: F0 9F 98 80',
    ]);
    const kept = demandUtf8(['convert', ...args, '--equal-json-keys', 'keep'], rows);
    expect(kept.toString()).toBe('1\t{"😀": 1, "😀": 2}\n2\t{"a": 1, "a": 2}\n');
    expect(utf8(['scan', ...args], rows).stdout.toString()).toContain(
      'equal-json-keys 1: column 2 1',
    );
  });

  it('finds what E strings and COPY spell byte by byte', () => {
    const script = `CREATE TABLE b (id int, v text);
INSERT INTO b VALUES (1, E'\\xED\\xA0\\xBD\\xED\\xB8\\x80'), (2, E'\\355\\240\\275\\355\\270\\200''\\n'), (3, E'\\ud83d\\ude00');
INSERT INTO b VALUES (4, E'a\\ud83db'), (5, U&'a\\D83Db'), (6, E'a\\xED\\240${'\xbd'}b');
COPY b FROM stdin;
7\t\\355\\240\\275\\355\\270\\200\\n
8\ta\\xed\\240\\275b
\\.
`;
    const args = ['-f', 'cesu-8+utf-8', '--format', 'pg_dump', '--unpaired-surrogates', 'escape'];
    expect(postgres.run(latin(script), '-d', 'postgres').stderr).toContain('invalid');
    const output = demandUtf8(['convert', ...args], latin(script));
    const query = "SELECT encode(convert_to(v, 'UTF8'), 'hex') FROM b ORDER BY id; DROP TABLE b;";
    const drop = latin('DROP TABLE IF EXISTS b;\n');
    const shown = postgres.demand(Buffer.concat([drop, output, latin(query)]), '-d', 'postgres');
    const lone = 'a\\ud83db';
    expect(shown.toString().trim().split('\n')).toEqual(
      ['😀', "😀'\n", '😀', lone, lone, lone, '😀\n', lone].map((text) =>
        Buffer.from(text).toString('hex'),
      ),
    );
  });
});

describe('jsonb', () => {
  const repair = createRepairer({ from: 'utf-8', equalJsonKeys: 'keep' });

  /** Our verdict, and whether a value is JSON at all, which V8 decides. */
  const accepts = (value: Buffer): boolean => {
    if (
      repair(value, { escapes: false, value: { syntaxes: [], structure: JSON_VALUE } }).status !==
      'unchanged'
    )
      return false;
    try {
      JSON.parse(value.toString());
      return true;
    } catch {
      return false;
    }
  };

  /** Asks jsonb itself, with all values in one statement. */
  function ask(values: readonly Buffer[]): boolean[] {
    const rows = values.map((value, i) => `${i}\t\\\\x${value.toString('hex')}\n`).join('');
    const script = `CREATE OR REPLACE FUNCTION verdict(value bytea) RETURNS bool LANGUAGE plpgsql AS $$
      BEGIN PERFORM convert_from(value, 'UTF8')::jsonb; RETURN true;
      EXCEPTION WHEN OTHERS THEN RETURN false; END $$;
      DROP TABLE IF EXISTS v; CREATE TABLE v (id int, value bytea);
      COPY v FROM stdin;\n${rows}\\.\nSELECT verdict(value) FROM v ORDER BY id;`;
    return postgres
      .demand(script, '-d', 'postgres')
      .toString()
      .trim()
      .split('\n')
      .map((line) => line === 't');
  }

  function compare(values: readonly Buffer[]): void {
    const theirs = ask(values);
    expect(theirs.length).toBe(values.length);
    const different = values.filter((value, i) => accepts(value) !== theirs[i]);
    expect(different.map((value) => value.toString('latin1'))).toEqual([]);
  }

  it('accepts a surrogate in every context exactly where we do', { timeout: 300_000 }, () => {
    const contexts: ((spelled: string) => string)[] = [
      (e) => `"${e}"`,
      (e) => `["a${e}"]`,
      (e) => `"${e}b"`,
      (e) => `"${e}\\n"`,
      (e) => `"${e}\\u0041"`,
      (e) => `"${e}\\ud83d"`,
      (e) => `"${e}\\ude00"`,
      (e) => `"\\uD83D${e}"`,
      (e) => `{"${e}": 1}`,
      (e) => `[[{"a": {"b": "${e}"}}]]`,
      (e) => `"\\${e}"`,
      (e) => `"\\\\${e}"`,
      (e) => `"\\\\\\${e}"`,
    ];
    const values: Buffer[] = [];
    const units = Array.from({ length: 0x800 }, (_, i) => 0xd800 + i);
    const edges = [0xd800, 0xdbff, 0xdc00, 0xdfff];
    for (const unit of new Set([...edges, ...choose(units, 200)])) {
      const digits = unit.toString(16);
      const spelled = `\\u${unit % 2 ? digits : digits.toUpperCase()}`;
      for (const context of contexts) values.push(latin(context(spelled)));
    }
    compare(values);
  });

  it('agrees on generated values', { timeout: 300_000 }, () => {
    console.log(`seed: UTF8_SEED=${seed} repeats this run`);
    const random = new Random(seed);
    const pieces = [
      '\\ud83d',
      '\\uDE00',
      '\\u0000',
      '\\u0001',
      '\\u00e9',
      '\\\\',
      '\\n',
      '\\"',
      'u',
    ];
    pieces.push('d83d', 'a', '\xc3\xa9', '\xf0\x9f\x98\x80', HIGH, '\xff', '\\udbff\\udfff');
    pieces.push('\\', '"', '\\u12', '\n', '\x7f', '0000', '\\/', '\\uD7FF', '\\ue000');
    const text = (): string =>
      Array.from({ length: random.below(6) }, () => {
        // Those that are no JSON at all are rare.
        const isRare = random.below(12) === 0;
        return random.pick(isRare ? pieces : pieces.slice(0, 13));
      }).join('');
    const value = (depth: number): string => {
      const kind = random.below(depth > 3 ? 3 : 6);
      if (kind === 0) return random.pick(['1', '-0.5e+3', 'true', 'null', '01', '1.', 'nul', '']);
      if (kind < 3) return `"${text()}"`;
      const many = Array.from({ length: random.below(4) }, () => value(depth + 1));
      if (kind < 5) return `[${many.join(random.pick([',', ' , ']))}]`;
      return `{${many.map((each) => `"${text()}":${each}`).join(',')}}`;
    };
    const values = Array.from({ length: scale(10_000) }, () => latin(value(0)));
    compare(values);
    const accepted = values.filter(accepts).length;
    console.log(`${accepted} of ${values.length} accepted`);
    // Neither verdict is rare.
    expect(Math.min(accepted, values.length - accepted)).toBeGreaterThan(values.length / 10);
  });
});

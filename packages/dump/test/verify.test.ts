import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Tally } from '../../../tooling/oracles/interop/src/tally.js';
import { scale } from '../../../tooling/tiers/tier.js';
import type { FormatOptions } from '../src/format/format.js';
import { type VerifyOptions, type VerifyReport, verifyDump } from '../src/verify/verify.js';
import type { VerifyFinding } from '../src/verify/verify-finding.js';
import { chooseByDay, hex, useFolder } from './use-folder.js';
import { assumeText, createRows, formats, shuffle, writeTable } from './verify-tables.js';

const path = useFolder();

const from = 'cesu-8+utf-8';

/** Replaces `<…>` by bytes in hex. */
const toBytes = (text: string): Buffer =>
  Buffer.concat(text.split(/<([^>]*)>/).map((part, i) => (i % 2 ? hex(part) : Buffer.from(part))));

let files = 0;

function write(content: string | Uint8Array): string {
  const name = path(`file-${files++}`);
  writeFileSync(name, typeof content === 'string' ? toBytes(content) : content);
  return name;
}

type Sides = Partial<Omit<VerifyOptions, 'source' | 'target'>> & {
  readonly source?: Partial<VerifyOptions['source']>;
  readonly target?: Partial<VerifyOptions['target']>;
};

/** Compares two texts, in CSV unless the options say otherwise. */
async function verify(
  source: string | Uint8Array,
  target: string | Uint8Array,
  { source: one, target: other, ...options }: Sides = {},
): Promise<{ report: VerifyReport; found: VerifyFinding[] }> {
  const found: VerifyFinding[] = [];
  const report = await verifyDump({
    from,
    keys: ['id'],
    ...options,
    source: { ...assumeText({ format: 'csv', ...one }), input: write(source) },
    target: { ...assumeText({ format: 'csv', ...other }), input: write(target) },
    onFinding: (finding) => void found.push(finding),
  });
  return { report, found };
}

/** Formats a finding as `class column detail`. */
const name = ({ class: name, column, options, detail, isExplained }: VerifyFinding): string => {
  const policies = options && `as with ${Object.entries(options).flat().join(' ')}`;
  const more = policies ?? detail;
  return [name, column, more && `(${more})`, isExplained && 'explained'].filter(Boolean).join(' ');
};

/** Compares a value of the source with one of the target, in CSV. */
async function compare(value: string, found: string, options: Sides = {}): Promise<string[]> {
  const result = await verify(`id,v\n1,${value}\n`, `id,v\n1,${found}\n`, options);
  return result.found.map(name);
}

describe('a table is equal to itself', () => {
  const rows = createRows(7, 100);
  const names = Object.keys(formats);
  const pairs = names.flatMap((source) => names.map((target) => [source, target] as const));
  const read = (name: string) => {
    const { format, formatOptions } = formats[name] as (typeof formats)[string];
    return { format, formatOptions };
  };

  it.each(chooseByDay(pairs, 3))('from %s to %s, in another order', async (source, target) => {
    const other = writeTable(target, shuffle(rows, 3), false);
    const options = { source: read(source), target: read(target) };
    for (const keys of [['id'], []]) {
      const { report, found } = await verify(writeTable(source, rows, true), other, {
        ...options,
        keys,
      });
      expect(found.filter(({ isExplained }) => !isExplained).map(name)).toEqual([]);
      expect(report.isProved).toBe(true);
      expect(report.records.source).toBe(rows.length);
      expect(report.records.equal + report.records.explained).toBe(rows.length);
      if (keys.length > 0) expect(Object.keys(report.findings)).toEqual(['repair']);
    }
  });

  it.each(chooseByDay(names, 2))('and any change of a value is found in %s', async (target) => {
    const changed = rows.map((row) => ({ ...row }));
    (changed[17] as { text: string }).text += 'x';
    (changed[40] as { note: string | null }).note = rows[40]?.note === null ? '' : null;
    (changed[99] as { data: Buffer | null }).data = Buffer.of(1, 2);
    const { found, report } = await verify(
      writeTable('mysqldump with hex', rows, true),
      writeTable(target, shuffle(changed, 5), false),
      { source: read('mysqldump with hex'), target: read(target) },
    );
    const left = found.filter(({ isExplained }) => !isExplained);
    const at = left.map(({ key, column }) => `${key?.id} ${column}`).sort();
    expect(at).toEqual(['100 data', '18 text', '41 note']);
    expect(report.isProved).toBe(false);
  });
});

describe('differences are classified', () => {
  it.each([
    ['a<ED A0 BD ED B8 80>', 'a😀', ['repair v explained']],
    ['a<ED A0 BD>b', 'a\\ud83db', ['escape v (as with unpairedSurrogates escape)']],
    ['a<ED A0 BD>b', 'a\\ud83db', ['escape v (as with unpairedSurrogates escape)']],
    ['a<FF>b', 'a\\xffb', ['escape v (as with errors escape)']],
    ['a<FF>b', 'aÿb', ['repair v (as with errors windows-1252)']],
    ['a<FF>b', 'a\ufffdb', ['replacement v (as with errors replace)']],
    ['a<00>b', 'ab', ['repair v (as with nul remove)']],
    ['a<ED A0 BD ED B8 80>b', 'a?b', ['replacement v']],
    ['a<ED A0 BD ED B8 80>b', 'a????b', ['replacement v']],
    ['a<ED A0 BD ED B8 80>b', 'a??????b', ['replacement v']],
    ['a<ED A0 BD>b', 'a?b', ['replacement v']],
    ['Grün 漢字?', 'Gr?n ???', ['replacement v']],
    ['Grün 漢字 und so', 'Gr?n ??', ['replacement v']],
    ['Grün', 'Gr\ufffdn', ['replacement v']],
    ['Gruen', 'Gr?en', ['other v']],
    ['漢字漢字', '?', ['replacement v']],
    ['漢字 und so', '漢字', ['truncation v (after 2 characters, 6 bytes)']],
    ['漢字', '漢<E5 AD>', ['truncation v (within a character, after 5 bytes)']],
    ['abc', '""', ['truncation v (after 0 characters, 0 bytes)']],
    ['abc', '', ['null v']],
    ['""', '', ['null v']],
    ['', '""', ['null v']],
    ['abc', 'abd', ['other v']],
    ['abc', 'abcd', ['other v']],
    ['abc', 'a<FF>', ['invalid v']],
    ['<FF>', '<FF>', ['invalid v']],
    ['a<ED A0 BD ED B8 80>', 'a<ED A0 BD ED B8 80>', ['invalid v']],
  ])('%s and %s', async (value, found, expected) => {
    expect(await compare(value, found)).toEqual(expected);
  });

  it.each([
    ['1.0', '1.00', 'number'],
    ['-0.5', '-.50', 'number'],
    ['1e3', '1000', 'number'],
    ['0', '0.0', 'number'],
    ['t', 'true', 'boolean'],
    ['1', 't', 'boolean'],
    ['<01>', '1', 'boolean'],
    ['0', 'FALSE', 'boolean'],
    ['2020-01-02T03:04:05Z', '2020-01-02 03:04:05.000+00', 'time'],
    ['"{""a"": [1, ""\\u00e9""], ""b"": null}"', '"{""b"":null,""a"":[1,""é""]}"', 'JSON'],
    ['\\x4142', 'AB', 'blob'],
    ['ab', 'ab  ', 'padding'],
  ])('%s and %s are spellings', async (value, found, detail) => {
    expect(await compare(value, found)).toEqual([`spelling v (${detail})`]);
    expect(await compare(found, value)).toEqual([`spelling v (${detail})`]);
    const ignored = await compare(value, found, { ignoreSpelling: true });
    expect(ignored).toEqual([`spelling v (${detail}) explained`]);
  });

  it.each([
    ['007', '7'],
    ['+49', '49'],
    ['1.0', '1.01'],
    ['12345678901234567890', '12345678901234567891'],
    ['t', 'f'],
    ['1', 'f'],
    ['2020-01-02 03:04:05+01', '2020-01-02 03:04:05+00'],
    ['"{""a"":1}"', '"{""a"":2}"'],
    ['"{""a"":1,""a"":2}"', '"{""a"":2}"'],
    ['\\x4142', 'Ab'],
  ])('%s and %s are none', async (value, found) => {
    const [difference] = await compare(value, found, { ignoreSpelling: true });
    expect(difference).toMatch(/^(other|truncation|null) v/);
  });

  it('shows the place, the key and the values', async () => {
    const { found } = await verify(
      'id,name\n1,x\n2,"a\nb<ED A0 BD ED B8 80>"\n',
      'id,name\n2,"a\nb?"\n1,x\n',
    );
    expect(found).toMatchObject([
      {
        class: 'replacement',
        column: 'name',
        key: { id: '2' },
        source: { line: 3, record: 2 },
        target: { line: 2, record: 1 },
        value: { text: 'a\nb😀', hex: '61 0A 62 ED A0 BD ED B8 80', length: 9 },
        becomes: { text: 'a\nb😀', hex: '61 0A 62 F0 9F 98 80', length: 7 },
        found: { text: 'a\nb?', hex: '61 0A 62 3F', length: 4 },
      },
    ]);
  });
});

describe('records', () => {
  it('that are missing or extra', async () => {
    const { found, report } = await verify('id,v\n1,a\n2,b\n', 'id,v\n2,b\n3,c\n');
    expect(found.map((each) => `${each.class} ${each.key?.id}`).sort()).toEqual([
      'extra 3',
      'missing 1',
    ]);
    expect(report.records).toEqual({ source: 2, target: 2, equal: 1, explained: 0 });
  });

  it('that share a key are reported, and only equal ones are paired', async () => {
    const { found, report } = await verify('id,v\n1,a\n1,b\n', 'id,v\n1,b\n1,c\n1,c\n');
    expect(found.map(name).sort()).toEqual([
      'duplicate-key (2 in the source, 3 in the target)',
      'extra',
      'extra',
      'missing',
    ]);
    expect(report.records.equal).toBe(1);
    const same = await verify('id,v\n1,a\n1,b\n', 'id,v\n1,b\n1,a\n');
    expect(same.found.map(name)).toEqual(['duplicate-key (2 in the source, 2 in the target)']);
    expect(same.report.isProved).toBe(false);
  });

  it('are a multiset without a key', async () => {
    const { found, report } = await verify('v,w\na,1\na,1\nb,2\n', 'v,w\nb,2\na,1\nc,3\n', {
      keys: [],
    });
    expect(found.map((each) => [each.class, (each.value ?? each.found)?.text]).sort()).toEqual([
      ['extra', 'c, 3'],
      ['missing', 'a, 1'],
    ]);
    expect(report.tables).toEqual([
      { source: null, target: null, key: [], sourceRecords: 3, targetRecords: 3 },
    ]);
  });

  it('a keys of several columns, of which a repair changes one', async () => {
    const { report } = await verify(
      'a,b,v\nx,<ED A0 BD ED B8 80>,1\n,<ED A0 BD ED B8 80>,2\n',
      'b,a,v\n😀,,2\n😀,x,1\n',
      { keys: ['a', 'b'] },
    );
    expect(report.isProved).toBe(true);
    expect(report.findings).toEqual({ repair: 2 });
  });

  it('of the rejects explain what is missing, unless they differ', async () => {
    const rejects = write(toBytes('id,v\n1,a<FF>\n2,b\n3,c\n'));
    const { found } = await verify('id,v\n1,a<FF>\n2,x\n', 'id,v\n', { rejects });
    expect(found.map((each) => `${name(each)} ${each.key?.id}`).sort()).toEqual([
      'missing 2',
      'rejected explained 1',
      'unknown-reject 3',
    ]);
  });

  it('of rejects that have more columns, or fewer, explain nothing', async () => {
    const json = { source: { format: 'jsonl' }, target: { format: 'jsonl' } } as const;
    const find = async (source: string, reject: string) => {
      const other = '{"id":2,"v":"b"}\n';
      const rejects = write(toBytes(reject));
      const { found } = await verify(`${other}${source}`, other, { ...json, rejects });
      return found.map((each) => `${name(each)} ${each.key?.id}`).sort();
    };
    const [few, many] = ['{"id":1}\n', '{"id":1,"v":"a"}\n'];
    expect(await find(few, few)).toEqual(['rejected explained 1']);
    expect(await find(many, many)).toEqual(['rejected explained 1']);
    expect(await find(few, many)).toEqual(['missing 1']);
    expect(await find(many, few)).toEqual(['missing 1']);
  });

  it('none at all prove nothing', async () => {
    const { report } = await verify('id,v\n', 'id,v\n', { keys: [] });
    expect(report.isProved).toBe(false);
  });
});

describe('columns and tables', () => {
  it('columns of one side are reported once, unless they are ignored', async () => {
    const [source, target] = ['id,v,w\n1,a,x\n2,b,y\n', 'id,u,v\n1,p,a\n2,q,b\n'];
    const { found } = await verify(source, target);
    expect(found.map(name)).toEqual(['missing-column w', 'extra-column u']);
    const { report } = await verify(source, target, { ignored: ['w', 'u'] });
    expect(report.isProved).toBe(true);
  });

  it('go by name, in another case only if a single one is meant', async () => {
    expect((await verify('id,Name\n1,a\n', 'NAME,ID\na,1\n')).found).toEqual([]);
    expect((await verify('id,v,V\n1,a,b\n', 'V,id,v\nb,1,a\n')).found).toEqual([]);
    expect((await verify('id,v,V\n1,a,a\n', 'id,v\n1,a\n')).found.map(name)).toEqual([
      'missing-column V',
    ]);
    const others = [
      ['id,name\n1,a\n', 'id,Name,NAME\n1,a,a\n'],
      ['id,Name,NAME\n1,a,a\n', 'id,name\n1,a\n'],
    ] as const;
    for (const [source, target] of others) {
      const { found, report } = await verify(source, target);
      expect(found.map(({ column }) => column).sort()).toEqual(['NAME', 'Name', 'name']);
      expect(report.isProved).toBe(false);
    }
  });

  it('go by number if one side has no names', async () => {
    const options = { target: { format: 'copy' } };
    const { found } = await verify('id,v\n1,a\n2,b\n', '2\tb\n1\tc\n', options);
    expect(found.map((each) => `${name(each)} ${each.key?.id}`)).toEqual(['other v 1']);
    expect((await verify('id,v\n1,a\n', '1\ta\tb\n', options)).found.map(name)).toEqual([
      'extra-column 3',
    ]);
  });

  const insert = (table: string, values = "(1,'a')"): string =>
    `CREATE TABLE ${table} (id int, v text);\nINSERT INTO ${table} VALUES ${values};\n`;
  const sql = { source: { format: 'mysqldump' }, target: { format: 'pg_dump' } };

  it('records with and without the names of columns are of one table', async () => {
    const dump = `INSERT INTO t VALUES (1,'a');\n${insert('t', "(2,'b')")}`;
    const csv = 'ID,V\n2,b\n1,a\n';
    const format = { format: 'pg_dump' };
    expect((await verify(dump, csv, { source: format })).found).toEqual([]);
    expect((await verify(csv, dump, { target: format })).found).toEqual([]);
  });

  it('tables are found without their qualifiers, in any case', async () => {
    const { report } = await verify(insert('`Users`'), insert('public.users'), sql);
    expect(report.isProved).toBe(true);
    expect(report.tables[0]).toMatchObject({ source: 'Users', target: 'public.users' });
  });

  it('tables that fit several are refused, until they are named', async () => {
    const two = insert('a.t') + insert('b.t', "(2,'b')");
    for (const [source, target] of [
      [two, insert('t')],
      [insert('t'), two],
    ] as const) {
      await expect(verify(source, target, sql)).rejects.toThrow(/`tables: 'SOURCE=TARGET'`/);
    }
    const { report } = await verify(two, insert('public.t'), { ...sql, tables: ['a.t=public.t'] });
    expect(report.isProved).toBe(true);
  });

  it('one of several tables beside a file that names none', async () => {
    const source = insert('users') + insert('others', "(9,'z')");
    const options = { source: { format: 'mysqldump' } };
    await expect(verify(source, 'id,v\n1,a\n', options)).rejects.toThrow(
      /has several tables \(users, others\).*names none; choose one with `tables`/,
    );
    const { report } = await verify(source, 'id,v\n1,a\n', { ...options, tables: ['users'] });
    expect(report.isProved).toBe(true);
  });

  it('a table that one side lacks is missing, record by record', async () => {
    const source = insert('t') + insert('u', "(1,'a'),(2,'b')");
    const { report } = await verify(source, insert('t'), sql);
    expect(report.columns).toEqual({ missing: { u: 2 } });
  });

  it('keys and columns that no table has are refused', async () => {
    const [source, target] = ['id,v\n1,a\n', 'id,v\n1,a\n'];
    await expect(verify(source, target, { keys: ['x'] })).rejects.toThrow(
      '`keys`: no table that both sides have has a column "x"; the source has id, v, the target has id, v',
    );
    await expect(verify(source, target, { ignored: ['x'] })).rejects.toThrow(
      /^`ignored`: no table/,
    );
    await expect(verify(source, target, { keys: ['id', 'id'] })).rejects.toThrow(/twice/);
    await expect(verify(source, target, { tables: ['a=b=c'] })).rejects.toThrow(
      /OLD=NEW|SOURCE=TARGET/,
    );
  });
});

describe('a target with one byte too few, or with another one', () => {
  const statements = `CREATE TABLE p (x text UNIQUE);
CREATE TABLE t (id int, a text, b bytea, j jsonb, l text[], h hstore);
COPY t (id, a, b, j, l, h) FROM stdin;
1\tq${'<eda0bdedb880>'}\t\\\\x00ff\t{"k": [1.50, true, "v"]}\t{u,"v w",NULL}\t"x"=>"y"
2\t\\N\t\\N\t\\N\t{}\t
\\.
INSERT INTO p VALUES ('é'), (NULL);
`;
  const rows = 'id;a;b\n1;q<eda0bdedb880>;0x00\n2;"x;""y";\n3;é;NULL\n';
  const target = (text: string): string => text.replace('<eda0bdedb880>', '<f09f9880>');

  const expectAnswers = async (
    format: string,
    text: string,
    formatOptions: FormatOptions,
  ): Promise<void> => {
    const side = { format, formatOptions };
    const options = { source: side, target: side, keys: [] };
    const answers = new Tally();
    const whole = toBytes(target(text));
    for (let i = -1; i < whole.length; i++) {
      const changed = [...whole];
      if (i >= 0) changed.splice(i, 1, ...(i % 3 === 0 ? [] : [i % 3 === 1 ? 0x78 : 0x22]));
      const answer = await verify(text, Uint8Array.from(changed), options).then(
        ({ report, found }) => {
          const names = found.filter(({ isExplained }) => !isExplained).map(name);
          const { source, target, equal, explained } = report.records;
          return `${report.isProved} ${source} ${target} ${equal} ${explained}: ${names.join(', ')}`;
        },
        (error: Error) => error.message.replaceAll(/\S*file-\d+/g, 'target'),
      );
      answers.add(`${i}: ${answer}`, answer);
    }
    expect(answers.list(' from ')).toMatchSnapshot();
  };

  it('is not proved in csv, unless the byte means nothing', () =>
    expectAnswers('csv', rows, { delimiter: ';' }));

  it('is not proved in pg_dump, unless the byte means nothing', { tags: ['slow'] }, () =>
    expectAnswers('pg_dump', statements, {}),
  );
});

describe('spellings of formats', () => {
  const sql = (values: string): string =>
    `CREATE TABLE t (id int, v text);\nINSERT INTO t VALUES (1,${values});\n`;
  const mysql = { source: { format: 'mysqldump' } } as const;

  it.each([
    ["'a' 'b'", 'ab'],
    ["'it''s \\'so\\''", "it's 'so'"],
    ['"a"', 'a'],
    ["X'4142'", 'AB'],
    ["x'4142'", '\\x4142'],
    ['0x4142', 'AB'],
    ["b'0100000101000010'", 'AB'],
    ["_utf8mb4 'ü'", 'ü'],
    ['null', ''],
    ['-1.5', '-1.5'],
  ])('%s of SQL is %s', async (spelling, value) => {
    const { found } = await verify(sql(spelling), `id,v\n1,${value}\n`, mysql);
    expect(found.map(name)).toEqual([]);
  });

  it.each([
    ["UPPER('ab')", 'ab'],
    ["'a' || 'b'", 'ab'],
    ["CONCAT('a','b')", 'ab'],
    ["'a' + 1", 'a'],
  ])('%s of SQL is an expression, not %s', async (spelling, value) => {
    const { found } = await verify(sql(spelling), `id,v\n1,${value}\n`, mysql);
    expect(found.map(({ class: name }) => name)).toEqual(['other']);
  });

  it.each([
    ['0x61EDA0BDEDB88062', 'a?b', 'replacement v'],
    ['0x61EDA0BDEDB88062', 'a😀b', 'repair v (though it is written as a blob)'],
    ['0x6162', 'a', 'truncation v (after 1 character, 1 byte)'],
    ['0x61FF', 'a', 'truncation v (after 1 byte)'],
    ['0x61FF62', 'a?b', 'other v'],
  ])('%s of a text is no blob beside %s', async (spelling, value, expected) => {
    const { found } = await verify(sql(spelling), `id,v\n1,${value}\n`, mysql);
    expect(found.map(name)).toEqual([expected]);
  });

  it('a cast of PostgreSQL is none', async () => {
    const { found } = await verify(
      "INSERT INTO t (id, v, w) VALUES ('1'::int, 'a'::character varying(10), E'\\\\x' );\n",
      'id,v,w\n1,a,\\x\n',
      { source: { format: 'pg_dump' } },
    );
    expect(found.map(name)).toEqual([]);
  });

  it('NULL is what each program writes', async () => {
    const escaped = { formatOptions: { escape: '\\' } };
    const [source, target] = ['id,v,w\n1,\\N,\n', 'id,v,w\n1,,""\n'];
    expect((await verify(source, target, { source: escaped })).found).toEqual([]);
    const chosen = { source: { null: 'NIL' }, target: { null: '\\N' } };
    const other = await verify('id,v,w\n1,NIL,"NIL"\n', 'id,v,w\n1,\\N,NIL\n', chosen);
    expect(other.found).toEqual([]);
    await expect(verify('{}', '{}', { source: { format: 'jsonl', null: 'x' } })).rejects.toThrow(
      "`null` applies to copy, csv, tsv, tab; remove it for `format: 'jsonl'`",
    );
  });

  it('JSON in any order of keys, with numbers as they are', async () => {
    const json = { source: { format: 'jsonl' }, target: { format: 'jsonl' } } as const;
    const source = '{"id":1,"a":"ü<ED A0 BD ED B8 80>","b":{"x":1.0,"y":[true,null,"z"]}}\n';
    const target = '{ "b": {"y":[true, null,"z"],"x":1.0}, "id":1, "a":"\\u00fc😀", "c": null }\n';
    const { found } = await verify(source, target, json);
    expect(found.map(name)).toEqual(['extra-column c', 'repair a explained']);
    const number = '{"id":1,"n":12345678901234567890}\n';
    expect((await verify(number, number.replace('90}', '91}'), json)).found.map(name)).toEqual([
      'other n',
    ]);
    const nested = '{"id":1,"n":{"a":[1,{"b":2}]}}\n';
    expect((await verify(nested, nested.replace('2', '3'), json)).found.map(name)).toEqual([
      'other n',
    ]);
    expect(
      (
        await verify(nested, 'id,n\n1,"{""a"": [1, {""b"": 2}]}"\n', { source: json.source })
      ).found.map(name),
    ).toEqual(['spelling n (JSON)']);
  });

  it('compressed files are read', async () => {
    const { report } = await verify(gzipSync('id,v\n1,a\n'), 'id,v\n1,a\n');
    expect(report.isProved).toBe(true);
  });
});

it('records of one key, and runs of equal ones, may be many', async () => {
  const line = 'same,record\n';
  const source = `a,b\n${line.repeat(scale(20_000))}`;
  const { report } = await verify(source, `${source}${line}`, { keys: [] });
  expect(report.findings).toEqual({ extra: 1 });
  expect(report.records.equal).toBe(scale(20_000));
});

it('values longer than what is read at once are compared to their ends', async () => {
  const long = 'Grün und 漢字 '.repeat(20_000);
  const rows = (last: string): string =>
    `id,v\n${[1, 2, 3, 4].map((id) => `${id},${long}${id === 3 ? last : ''}\n`).join('')}`;
  const { found, report } = await verify(rows('x'), rows(''));
  expect(found.map((each) => `${each.class} ${each.key?.id}`)).toEqual(['truncation 3']);
  expect(found[0]?.value?.text.length).toBeLessThan(210);
  expect(report.records.equal).toBe(3);
});

it('the report has all findings, and the summary some of each class', async () => {
  const rows = Array.from({ length: 100 }, (_, i) => `${i},a\n`).join('');
  const report = path('report.jsonl');
  const result = await verify(`id,v\n${rows}`, 'id,v\n', { report, max: 2 });
  expect(result.report.examples.missing).toHaveLength(2);
  const lines = readFileSync(report, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    result.found.map((finding) => JSON.parse(JSON.stringify({ type: 'finding', ...finding }))),
  );
});

it('an input that is no file of its format ends with its name', async () => {
  await expect(verify('id,v\n1,"a"b\n', 'id,v\n')).rejects.toThrow(/file-\d+:2: text follows/);
});

describe('a name that stands twice', () => {
  const header = (names: string, rows: string): string => `${names}\n${rows}\n`;

  it.each([
    ['in a header', 'id,n,n'],
    ['as an empty name', 'id,,'],
    ['in two cases', 'id,n,N'],
    ['in two spellings', 'id,n<ED A0 BD ED B8 80>,n<F0 9F 98 80>'],
  ])('%s is two columns', async (_, names) => {
    const source = header(names, '1,A,B\n2,C,D');
    expect((await verify(source, source)).found).toEqual([]);
    for (const rows of ['1,WRONG,B\n2,C,D', '1,A,WRONG\n2,C,D', '1,B,A\n2,C,D']) {
      expect((await verify(source, header(names, rows))).found).not.toEqual([]);
    }
    const { found } = await verify(source, header(names, '1,A,B\n2,,D'));
    expect(found.map((each) => each.class)).toEqual(['null']);
  });

  it('in one header only is a column that the other side lacks', async () => {
    const { found } = await verify('id,n,n\n1,A,B\n', 'id,n\n1,A\n');
    expect(found.map(name)).toEqual(['missing-column n']);
  });

  it('in an object of JSON has two values', async () => {
    const sides: Sides = { source: { format: 'jsonl' }, target: { format: 'jsonl' } };
    const source = '{"id":1,"n":"A","n":"B"}\n';
    expect((await verify(source, source, sides)).found).toEqual([]);
    for (const target of ['"n":"X","n":"B"', '"n":"A","n":"X"', '"n":"B","n (2)":"A"']) {
      const { found } = await verify(source, `{"id":1,${target}}\n`, sides);
      expect(found).not.toEqual([]);
    }
  });
});

describe('tables of one name', () => {
  const mysql = (a: string, b: string): string =>
    ['a', 'b']
      .map(
        (database, i) =>
          `USE ${database};\nCREATE TABLE t (id int);\nINSERT INTO t VALUES (${[a, b][i]});\n`,
      )
      .join('');
  const postgres =
    (change: (name: string) => string) =>
    (a: string, b: string): string =>
      ['a', 'b']
        .map(
          (each, i) =>
            `${change(each)}\nCREATE TABLE t (id int);\nCOPY t (id) FROM stdin;\n${[a, b][i]}\n\\.\n`,
        )
        .join('');

  it.each([
    ['databases of MySQL', 'mysqldump', mysql],
    ['databases of PostgreSQL', 'pg_dump', postgres((name) => `\\connect ${name}`)],
    ['schemas', 'pg_dump', postgres((name) => `SET search_path = ${name};`)],
  ])('in two %s are two tables', async (_, format, write) => {
    const sides: Sides = { source: { format }, target: { format }, keys: [] };
    const { found, report } = await verify(write('1', '2'), write('1', '2'), sides);
    expect([found, report.tables.length]).toEqual([[], 2]);
    expect((await verify(write('1', '2'), write('2', '1'), sides)).found).not.toEqual([]);
    const chosen = await verify(write('1', '2'), write('1', '3'), { ...sides, tables: ['a.t'] });
    expect(chosen.found).toEqual([]);
  });
});

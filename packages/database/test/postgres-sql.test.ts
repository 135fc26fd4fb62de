/** Values, keys and types in the SQL of PostgreSQL. */
import { describe, expect, it } from 'vitest';
import { bytesOf, type Cell, nameOf } from '../src/server/postgres/postgres-cell.js';
import type { Connection } from '../src/server/postgres/postgres-connection.js';
import {
  bytesOfKey,
  type Column,
  keyOf,
  Parameters,
  Sql,
} from '../src/server/postgres/postgres-sql.js';
import { Types } from '../src/server/postgres/postgres-types.js';
import { type Fields, readRecords } from '../src/server/record.js';

const column = (properties: Partial<Column> = {}): Column => ({
  name: 'c',
  sql: '"c"',
  base: 'text',
  isBuiltIn: true,
  isExact: true,
  hasStructure: false,
  collation: undefined,
  keyForm: 'text',
  expression: undefined,
  isUnsafe: false,
  ...properties,
});

/** Bytes in hex, instead of a parameter. */
const place = (bytes: Uint8Array): string => `$${Buffer.from(bytes).toString('hex')}`;

const one = new Uint8Array([1]);

describe('values', () => {
  const own = new Sql('UTF8', false);
  const any = new Sql('SQL_ASCII', true);

  it('become bytes, and bytes become values', () => {
    expect([own.isByBytes, any.isByBytes]).toEqual([false, true]);
    expect(own.bytes('t.c', column())).toBe('pg_catalog.textsend(t.c::pg_catalog.text)');
    expect(any.bytes('t.c', column())).toBe(
      `pg_catalog.convert_to(t.c::pg_catalog.text, 'SQL_ASCII')`,
    );
    expect(own.text('$1')).toBe(`pg_catalog.convert_from($1, 'UTF8')`);
    expect(own.value(one, column({ base: 'json' }), place)).toBe(`${own.text('$01')}::json`);
    expect(own.address('$1')).toBe(`${own.text('$1')}::pg_catalog.tid`);
  });

  it('have a form of their own in some types', () => {
    expect(own.stored(one, column(), place)).toBe('$01');
    const jsonb = column({ base: 'jsonb', isExact: false });
    expect(own.stored(one, jsonb, place)).toBe(
      `pg_catalog.textsend((${own.text('$01')}::jsonb)::pg_catalog.text)`,
    );
  });

  it('of types of the database are cast by nothing that the database defines', () => {
    const duo = column({ base: 'public.duo', isBuiltIn: false, keyForm: 'other' });
    const bytes = Buffer.from("('\\,\xed\n)", 'latin1');
    const literal = String.raw`E'(\x27\x5c,\xed\x0a)'::public.duo`;
    expect(own.value(bytes, duo, place)).toBe(literal);
    expect(own.keyValue(bytes, duo, place)).toBe(literal);
    expect(own.operand('t.c', duo)).toBe('t.c::public.duo');
    expect(own.operand('t.c', column())).toBe('t.c');
    for (const sql of [own.bytes('t.c', duo), own.readKey('t.c', duo)]) {
      expect(sql).toBe("pg_catalog.textsend(pg_catalog.format('%s'::pg_catalog.text, t.c))");
    }
  });

  it('of keys are text or bytes', () => {
    for (const keyForm of ['number', 'blob'] as const) {
      expect(own.readKey('t.c', column({ keyForm }))).toBe('t.c::pg_catalog.text');
    }
    for (const keyForm of ['text', 'other'] as const) {
      expect(own.readKey('t.c', column({ keyForm }))).toBe(own.bytes('t.c', column()));
    }
    expect(own.keyValue(one, column({ keyForm: 'blob' }), place)).toBe('$01');
    expect(own.keyValue(one, column({ keyForm: 'other', base: 'date' }), place)).toBe(
      `${own.text('$01')}::date`,
    );
  });

  it('are parameters of bytes', () => {
    const parameters = new Parameters();
    const bytes = new Uint8Array([0, 1, 2, 3]).subarray(1, 3);
    expect(parameters.add(bytes)).toBe('$1::pg_catalog.bytea');
    expect(parameters.add(new Uint8Array())).toBe('$2::pg_catalog.bytea');
    expect(parameters.values).toEqual([Buffer.from([1, 2]), Buffer.from([])]);
  });
});

describe('results', () => {
  it('are bytes, and names only if they are UTF-8', () => {
    expect(bytesOf('\\x00ff')).toEqual(Buffer.from([0, 0xff]));
    expect(nameOf('\\xefbbbfc3b6')).toBe('\ufeffö');
    expect(nameOf('\\xeda0bd')).toBeUndefined();
  });

  it('are keys', () => {
    const forms = ['number', 'number', 'blob', 'text', 'other', 'other'] as const;
    const cells = ['7', '9007199254740992', '\\x00ff', '\\xeda0', '\\x31207e', '\\x317f'];
    const columns = forms.map((keyForm) => column({ keyForm }));
    expect(keyOf(cells, columns)).toEqual([
      7,
      '9007199254740992',
      { hex: '00ff', is: 'blob' },
      { hex: 'eda0', is: 'text' },
      '1 ~',
      { hex: '317f', is: 'text' },
    ]);
    expect(keyOf(['\\x1f31'], [column({ keyForm: 'other' })])).toEqual([
      { hex: '1f31', is: 'text' },
    ]);
    expect(bytesOfKey({ hex: '00ff', is: 'text' })).toEqual(Buffer.from([0, 0xff]));
    expect(bytesOfKey(-12)).toEqual(Buffer.from('-12'));
    expect(bytesOfKey('1 ~')).toEqual(Buffer.from('1 ~'));
  });
});

describe('types', () => {
  /** A row of the catalogue. */
  interface CatalogueType {
    readonly oid: number;
    readonly name: string;
    readonly kind?: string;
    readonly category?: string;
    readonly base?: number;
    readonly modifier?: number;
    readonly element?: number;
    readonly fields?: string;
  }

  const catalogue: readonly CatalogueType[] = [
    { oid: 16, name: 'bool', category: 'B' },
    { oid: 17, name: 'bytea', category: 'U' },
    { oid: 18, name: 'char', category: 'S' },
    { oid: 19, name: 'name', category: 'S' },
    { oid: 20, name: 'int8', category: 'N' },
    { oid: 21, name: 'int2', category: 'N' },
    { oid: 23, name: 'int4', category: 'N' },
    { oid: 25, name: 'text', category: 'S' },
    { oid: 114, name: 'json', category: 'U' },
    { oid: 142, name: 'xml', category: 'U' },
    { oid: 1042, name: 'bpchar', category: 'S' },
    { oid: 1043, name: 'varchar', category: 'S' },
    { oid: 3802, name: 'jsonb', category: 'U' },
    { oid: 16501, name: 'hstore', category: 'U' },
    { oid: 16502, name: 'citext', category: 'S' },
    { oid: 16503, name: 'own', category: 'S' },
    { oid: 16504, name: 'mood', kind: 'e', category: 'E' },
    { oid: 16505, name: 'short', kind: 'd', category: 'S', base: 1043, modifier: 14 },
    { oid: 16506, name: 'shorter', kind: 'd', category: 'S', base: 16505 },
    { oid: 16507, name: 'empty', kind: 'd', category: 'S', base: 1043, modifier: 0 },
    { oid: 16508, name: '_text', category: 'A', element: 25 },
    { oid: 16509, name: '_json', category: 'A', element: 114 },
    { oid: 16510, name: '_int4', category: 'A', element: 23 },
    { oid: 16511, name: 'pair', kind: 'c', category: 'C', fields: '23 25 16509' },
    { oid: 16512, name: 'numbers', kind: 'c', category: 'C', fields: '23 16' },
    { oid: 16513, name: 'tree', kind: 'c', category: 'C', fields: '25 16514' },
    { oid: 16514, name: '_tree', category: 'A', element: 16513 },
    { oid: 16515, name: 'none', kind: 'c', category: 'C' },
  ];

  const asBytes = (words: string): string => `\\x${Buffer.from(words).toString('hex')}`;

  const read = async (...oids: readonly number[]) => {
    const asked: number[][] = [];
    const connection = {
      records: async <Own extends Fields<Cell>>(sql: string, fields: Own) => {
        const list = (/'\{(.*)\}'/.exec(sql)?.[1] ?? '').split(',').map(Number);
        asked.push(list);
        const rows = catalogue
          .filter(({ oid }) => list.includes(oid))
          .map(({ oid, name, kind = 'b', category = 'U', ...rest }) => ({
            oid: String(oid),
            name: asBytes(name),
            sql: asBytes(`"${name}"`),
            kind,
            category,
            base: String(rest.base ?? 0),
            modifier: String(rest.modifier ?? -1),
            element: String(rest.element ?? 0),
            fields: rest.fields ?? null,
          }));
        return readRecords<Cell, Own>(rows, fields);
      },
    } as unknown as Connection;
    return { types: await Types.read(connection, oids), asked };
  };

  const plain = { structure: undefined, isExact: true };
  const spelled = (structure: object, isExact = false) => ({ structure, isExact });

  it.each([
    [16, 'other', undefined],
    [17, 'blob', undefined],
    [18, 'other', undefined],
    [19, 'other', undefined],
    [20, 'number', undefined],
    [21, 'number', undefined],
    [23, 'number', undefined],
    [25, 'text', plain],
    [114, 'other', spelled({ is: 'json' }, true)],
    [142, 'text', plain],
    [1042, 'text', { structure: undefined, isExact: false }],
    [1043, 'text', plain],
    [3802, 'other', spelled({ is: 'json' })],
    [16501, 'other', spelled({ is: 'hstore' })],
    [16502, 'text', plain],
    [16503, 'text', { structure: undefined, isExact: false }],
    [16504, 'other', undefined],
    [16508, 'other', spelled({ is: 'array', of: undefined })],
    [16509, 'other', spelled({ is: 'array', of: { is: 'json' } })],
    [16510, 'other', undefined],
    [
      16511,
      'other',
      spelled({ is: 'composite', of: [null, null, { is: 'array', of: { is: 'json' } }] }),
    ],
    [16512, 'other', undefined],
    // A type that contains itself is read as far as that.
    [16513, 'other', spelled({ is: 'composite', of: [null, null] })],
    [16515, 'other', undefined],
  ])('%i is %s, and has this text: %j', async (oid, is, text) => {
    const { types } = await read(oid);
    const { name } = catalogue.find((each) => each.oid === oid) ?? {};
    expect(types.find(oid)).toEqual({
      base: `"${name}"`,
      isBuiltIn: oid < 16_384,
      text,
      is,
      modifier: -1,
      isLimited: oid === 1042 || oid === 1043,
    });
  });

  it.each([
    [16505, 14],
    [16506, 14],
    [16507, 0],
  ])('the domain %i is its type with a length', async (oid, modifier) => {
    const { types } = await read(oid);
    const traits = { base: '"varchar"', isBuiltIn: true, text: plain, is: 'text', isLimited: true };
    expect(types.find(oid)).toEqual({ ...traits, modifier });
  });

  it('that are unknown have no text', async () => {
    const { types, asked } = await read();
    expect(types.find(25)).toEqual({
      base: 'pg_catalog.text',
      isBuiltIn: true,
      text: undefined,
      is: 'other',
      modifier: -1,
      isLimited: false,
    });
    expect(asked).toEqual([]);
  });

  it('are asked for once, with those that they consist of', async () => {
    const { asked } = await read(16513, 16511, 16506, 16513);
    expect(asked.map((oids) => new Set(oids))).toEqual([
      new Set([16513, 16511, 16506]),
      new Set([25, 16514, 23, 16509, 16505]),
      new Set([114, 1043]),
    ]);
    for (const oids of asked) expect(oids).toHaveLength(new Set(oids).size);
  });
});

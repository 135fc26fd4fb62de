/** Values, keys and types in the SQL of PostgreSQL. */
import { describe, expect, it } from 'vitest';
import type { Connection } from '../src/server/postgres/postgres-connection.js';
import {
  bytesOf,
  bytesOfKey,
  type Column,
  keyOf,
  nameOf,
  Parameters,
  Sql,
} from '../src/server/postgres/postgres-sql.js';
import { Types } from '../src/server/postgres/postgres-types.js';

const column = (properties: Partial<Column> = {}): Column => ({
  name: 'c',
  sql: '"c"',
  base: 'text',
  isExact: true,
  hasSyntax: false,
  collation: undefined,
  keyForm: 'text',
  expression: undefined,
  ...properties,
});

describe('values', () => {
  const own = new Sql('UTF8', false);
  const any = new Sql('SQL_ASCII', true);

  it('become bytes, and bytes become values', () => {
    expect([own.isByBytes, any.isByBytes]).toEqual([false, true]);
    expect(own.bytes('t.c')).toBe('pg_catalog.textsend(t.c::pg_catalog.text)');
    expect(any.bytes('t.c')).toBe(`pg_catalog.convert_to(t.c::pg_catalog.text, 'SQL_ASCII')`);
    expect(own.text('$1')).toBe(`pg_catalog.convert_from($1, 'UTF8')`);
    expect(own.value('$1', column({ base: 'json' }))).toBe(`${own.text('$1')}::json`);
    expect(own.address('$1')).toBe(`${own.text('$1')}::pg_catalog.tid`);
  });

  it('have a form of their own in some types', () => {
    expect(own.stored('$1', column())).toBe('$1');
    const jsonb = column({ base: 'jsonb', isExact: false });
    expect(own.stored('$1', jsonb)).toBe(
      `pg_catalog.textsend((${own.text('$1')}::jsonb)::pg_catalog.text)`,
    );
  });

  it('of keys are text or bytes', () => {
    for (const keyForm of ['number', 'blob'] as const) {
      expect(own.readKey('t.c', column({ keyForm }))).toBe('t.c::pg_catalog.text');
    }
    for (const keyForm of ['text', 'other'] as const) {
      expect(own.readKey('t.c', column({ keyForm }))).toBe(own.bytes('t.c'));
    }
    expect(own.keyValue('$1', column({ keyForm: 'blob' }))).toBe('$1');
    expect(own.keyValue('$1', column({ keyForm: 'other', base: 'date' }))).toBe(
      `${own.text('$1')}::date`,
    );
  });

  it('are parameters of bytes', () => {
    const parameters = new Parameters();
    const bytes = new Uint8Array([0, 1, 2, 3]).subarray(1, 3);
    expect(parameters.add(bytes)).toBe('$1::bytea');
    expect(parameters.add(new Uint8Array())).toBe('$2::bytea');
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
    { oid: 5001, name: 'hstore', category: 'U' },
    { oid: 5002, name: 'citext', category: 'S' },
    { oid: 5003, name: 'own', category: 'S' },
    { oid: 5004, name: 'mood', kind: 'e', category: 'E' },
    { oid: 5005, name: 'short', kind: 'd', category: 'S', base: 1043, modifier: 14 },
    { oid: 5006, name: 'shorter', kind: 'd', category: 'S', base: 5005 },
    { oid: 5007, name: 'empty', kind: 'd', category: 'S', base: 1043, modifier: 0 },
    { oid: 5008, name: '_text', category: 'A', element: 25 },
    { oid: 5009, name: '_json', category: 'A', element: 114 },
    { oid: 5010, name: '_int4', category: 'A', element: 23 },
    { oid: 5011, name: 'pair', kind: 'c', category: 'C', fields: '23 25 5009' },
    { oid: 5012, name: 'numbers', kind: 'c', category: 'C', fields: '23 16' },
    { oid: 5013, name: 'tree', kind: 'c', category: 'C', fields: '25 5014' },
    { oid: 5014, name: '_tree', category: 'A', element: 5013 },
    { oid: 5015, name: 'none', kind: 'c', category: 'C' },
  ];

  const asBytes = (words: string): string => `\\x${Buffer.from(words).toString('hex')}`;

  const read = async (...oids: readonly number[]) => {
    const asked: number[][] = [];
    const connection = {
      query: async (sql: string) => {
        const list = (/'\{(.*)\}'/.exec(sql)?.[1] ?? '').split(',').map(Number);
        asked.push(list);
        return catalogue
          .filter(({ oid }) => list.includes(oid))
          .map(({ oid, name, kind = 'b', category = 'U', ...rest }) => [
            String(oid),
            asBytes(name),
            asBytes(`"${name}"`),
            kind,
            category,
            String(rest.base ?? 0),
            String(rest.modifier ?? -1),
            String(rest.element ?? 0),
            rest.fields ?? null,
          ]);
      },
    } as unknown as Connection;
    return { types: await Types.read(connection, oids), asked };
  };

  const plain = { syntax: undefined, isExact: true };
  const spelled = (syntax: object, isExact = false) => ({ syntax, isExact });

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
    [1042, 'text', { syntax: undefined, isExact: false }],
    [1043, 'text', plain],
    [3802, 'other', spelled({ is: 'json' })],
    [5001, 'other', spelled({ is: 'hstore' })],
    [5002, 'text', plain],
    [5003, 'text', { syntax: undefined, isExact: false }],
    [5004, 'other', undefined],
    [5008, 'other', spelled({ is: 'array', of: undefined })],
    [5009, 'other', spelled({ is: 'array', of: { is: 'json' } })],
    [5010, 'other', undefined],
    [
      5011,
      'other',
      spelled({ is: 'composite', of: [null, null, { is: 'array', of: { is: 'json' } }] }),
    ],
    [5012, 'other', undefined],
    // A type that contains itself is read as far as that.
    [5013, 'other', spelled({ is: 'composite', of: [null, null] })],
    [5015, 'other', undefined],
  ])('%i is %s, and has this text: %j', async (oid, is, text) => {
    const { types } = await read(oid);
    const { name } = catalogue.find((each) => each.oid === oid) ?? {};
    expect(types.find(oid)).toEqual({
      base: `"${name}"`,
      text,
      is,
      modifier: -1,
      isLimited: oid === 1042 || oid === 1043,
    });
  });

  it.each([
    [5005, 14],
    [5006, 14],
    [5007, 0],
  ])('the domain %i is its type with a length', async (oid, modifier) => {
    const { types } = await read(oid);
    const traits = { base: '"varchar"', text: plain, is: 'text', isLimited: true };
    expect(types.find(oid)).toEqual({ ...traits, modifier });
  });

  it('that are unknown have no text', async () => {
    const { types, asked } = await read();
    expect(types.find(25)).toEqual({
      base: 'text',
      text: undefined,
      is: 'other',
      modifier: -1,
      isLimited: false,
    });
    expect(asked).toEqual([]);
  });

  it('are asked for once, with those that they consist of', async () => {
    const { asked } = await read(5013, 5011, 5006, 5013);
    expect(asked.map((oids) => new Set(oids))).toEqual([
      new Set([5013, 5011, 5006]),
      new Set([25, 5014, 23, 5009, 5005]),
      new Set([114, 1043]),
    ]);
    for (const oids of asked) expect(oids).toHaveLength(new Set(oids).size);
  });
});

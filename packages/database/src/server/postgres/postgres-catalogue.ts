/**
 * Tables of a database, from the catalogue of PostgreSQL.
 *
 * @see https://www.postgresql.org/docs/current/catalogs.html
 */
import { InputError } from '@utf8/dump';
import type { RecordOf } from '../record.js';
import type { Effect, RowKey, Table, TextColumn, TextReference, UniqueKey } from '../table.js';
import { type Cell, flag, integer, integers, label, nameOf, raw, text } from './postgres-cell.js';
import type { Connection } from './postgres-connection.js';
import { findFunctions, isUnsafe } from './postgres-functions.js';
import { type Column, type KeyColumn, quote } from './postgres-sql.js';
import { Types, type TypeTraits } from './postgres-types.js';

/** Table with the details that statements need. */
export interface Details {
  readonly table: Table;
  readonly oid: number;
  /** All columns, in order. */
  readonly columns: readonly Column[];
  /** Those of the key; undefined if rows are found by `ctid`. */
  readonly keyColumns: readonly KeyColumn[] | undefined;
  readonly uniqueIndexes: readonly UniqueIndex[];
  readonly hasTriggers: boolean;
  readonly hasRules: boolean;
  /** As in the table, with their operators. */
  readonly references: readonly ComparedReference[];
  /** Foreign keys that would set the references to a row to NULL or to a default. */
  readonly resets: readonly { readonly name: string; readonly columns: readonly string[] }[];
}

/** A foreign key as statements compare it, column by column. */
export interface ComparedReference extends TextReference {
  readonly operators: readonly {
    readonly parentWithChild: string;
    readonly parents: string;
    readonly children: string;
  }[];
}

/** A unique index, or the index of an exclusion constraint. */
export interface UniqueIndex {
  readonly name: string;
  /** Every column that it depends on. */
  readonly columns: readonly string[];
  readonly parts: readonly {
    /** The column, if it is one. */
    readonly column: string | undefined;
    readonly expression: string;
    readonly operator: string;
    readonly collation: string | undefined;
  }[];
  readonly predicate: string | undefined;
  /** True if two NULLs are equal. */
  readonly comparesNulls: boolean;
  /** True if its expressions may run functions of users, so that only the server evaluates them. */
  readonly isUnsafe: boolean;
}

/** The catalogue of a database. */
export interface Catalogue {
  readonly details: ReadonlyMap<string, Details>;
  /** The foreign keys that a transaction can check at its end, quoted. */
  readonly deferrable: readonly string[];
  /** Indexes that are not evaluated, in sentences. */
  readonly notices: readonly string[];
}

/** A table, as far as the catalogue describes it. */
interface Relation {
  readonly oid: number;
  readonly name: string;
  readonly sql: string;
  readonly kind: string;
  readonly rows: number;
  readonly parent: number;
  /** The columns that choose the partition of a row; 0 for an expression. */
  readonly partitionKey: readonly number[];
}

interface Attribute extends Column {
  readonly relation: number;
  readonly number: number;
  readonly type: string;
  readonly modifier: number;
  readonly isNotNull: boolean;
  readonly traits: TypeTraits;
  /** The name of how values are equal, if other bytes can be. */
  readonly equality: string | undefined;
}

interface Index extends UniqueIndex {
  readonly relation: number;
  readonly isPrimary: boolean;
  /** The columns of a key that pages can be read by; undefined if they cannot. */
  readonly keyNumbers: readonly number[] | undefined;
  /** The operators by which they are ordered. */
  readonly greater: readonly string[];
}

/** Tables of users, in every schema but the server's own. */
const OWN = `n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
  AND c.relkind IN ('r', 'p', 'f') AND c.relpersistence <> 't'`;

const CLASSES = `pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace`;

/** The bytes of a text, which may be in any encoding. */
const bytes = (expression: string): string => `pg_catalog.textsend((${expression})::text)`;

/**
 * Reads the catalogue.
 *
 * @param own - The oid of the table of progress, which is not listed.
 */
export async function readCatalogue(
  connection: Connection,
  encoding: string,
  own: number,
): Promise<Catalogue> {
  const relations = await readRelations(connection, own);
  const attributes = groupBy(await readAttributes(connection), ({ relation }) => relation);
  const indexes = groupBy(await readIndexes(connection, attributes), ({ relation }) => relation);
  const tables = chooseTables(relations, attributes, indexes);
  const names = new Map(tables.map(({ oid, name }) => [oid, name]));
  const leaves = groupBy(relations, ({ parent }) => parent);
  const effects = await readEffects(connection, attributes);
  const foreignKeys = await readForeignKeys(connection, attributes);
  const functions = await findFunctions(connection, CLASSES, OWN);
  const details = tables.map((relation) => {
    const { oid, name, sql, kind } = relation;
    const columns = attributes.get(oid) ?? [];
    const isText = ({ traits, expression }: Attribute): boolean =>
      traits.text !== undefined && expression === undefined;
    const textColumns = columns.filter(isText);
    const textNames = new Set(textColumns.map((column) => column.name));
    const all = [relation, ...(kind === 'p' ? descend(oid, leaves) : [])];
    const uniqueIndexes = (indexes.get(oid) ?? []).filter((index) =>
      index.columns.some((column) => isAffected(column, columns)),
    );
    const moves = all.some(({ oid, partitionKey }) =>
      partitionKey.some((n) => n === 0 || isTextNumber(n, attributes.get(oid))),
    );
    const found = all
      .flatMap((each) => effects.filter((effect) => effect.relation === each.oid))
      .filter(({ isOfMove }) => moves || !isOfMove);
    const rules = found.filter(({ isRule }) => isRule);
    // A partition has the partition keys of the tables above it.
    const called = [...ascend(relation, relations), ...all].flatMap((each) =>
      functions.filter((called) => called.relation === each.oid),
    );
    const key = findKey(oid, indexes, columns);
    const isListed = ({ child, parent }: ForeignKey): boolean => child === oid || parent === oid;
    const rows = all.filter((each) => each.kind !== 'p').map((each) => each.rows);
    const related = foreignKeys.filter(
      (each) => isListed(each) && names.has(each.child) && names.has(each.parent),
    );
    const references = related
      .filter(({ isText }) => isText)
      .map((each) => ({ ...toReference(each, names), operators: each.operators }));
    const table: Table = {
      name,
      sql,
      columns: textColumns.map((column) => toTextColumn(column, encoding)),
      otherColumns: columns
        .filter(({ expression }) => expression === undefined)
        .map((column) => column.name)
        .filter((column) => !textNames.has(column)),
      key: key ? { names: key.map((column) => column.name), isStable: true } : ADDRESS,
      uniqueKeys: uniqueIndexes.map(({ name, columns }): UniqueKey => ({ name, columns })),
      references: references.map(({ operators: _, ...reference }) => reference),
      effects: unique([...found, ...called].map(({ name }) => name)).map(
        (name): Effect => ({ kind: 'trigger', name }),
      ),
      rows: rows.some((count) => count < 0) ? undefined : rows.reduce((sum, n) => sum + n, 0),
    };
    const resets = foreignKeys
      .filter(({ parent, onUpdate }) => parent === oid && /^[nd]$/.test(onUpdate))
      .map(({ name, parentColumns }) => ({ name, columns: parentColumns }));
    const hasTriggers = found.length > rules.length;
    const hasRules = rules.length > 0;
    const of = { table, oid, columns, keyColumns: key, uniqueIndexes };
    return { ...of, hasTriggers, hasRules, references, resets };
  });
  const listed = details
    .filter(({ table }) => table.columns.length > 0)
    .sort((a, b) => (a.table.name < b.table.name ? -1 : 1));
  return {
    details: new Map(listed.map((each) => [each.table.name, each])),
    notices: listed.flatMap(({ table, columns, uniqueIndexes }) =>
      uniqueIndexes
        .filter((index) => needsServer(index, columns))
        .map(
          ({ name }) =>
            `${table.name}: unique index ${name} was not checked for collisions, because it calls functions of the database`,
        ),
    ),
    deferrable: unique(
      foreignKeys.filter(({ isDeferrable }) => isDeferrable).map(({ sql }) => sql),
    ),
  };
}

/**
 * Key of a row in a table without one: its address and a hash of the row. The hash tells it apart from
 * another row that comes to the address later.
 */
const ADDRESS: RowKey = { names: ['ctid', 'md5'], isStable: false };

async function readRelations(connection: Connection, own: number): Promise<Relation[]> {
  const relations = await connection.records(
    `SELECT c.oid, ${bytes('n.nspname')} AS schema, ${bytes('c.relname')} AS name, c.relkind AS kind,
       c.relhassubclass AS "hasSubclass", c.reltuples::bigint AS rows,
       CASE WHEN c.relispartition THEN i.inhparent ELSE 0 END AS parent,
       (SELECT p.partattrs::text FROM pg_catalog.pg_partitioned_table p WHERE p.partrelid = c.oid)
         AS "partitionKey"
     FROM ${CLASSES} LEFT JOIN pg_catalog.pg_inherits i ON i.inhrelid = c.oid AND c.relispartition
     WHERE ${OWN} AND c.oid <> ${own}`,
    {
      oid: integer,
      schema: (cell: Cell): string => demandName(cell, 'the name of a schema'),
      name: raw,
      kind: text,
      hasSubclass: flag,
      rows: integer,
      parent: integer,
      partitionKey: integers,
    },
  );
  return relations.map((relation) => {
    const { schema, kind, hasSubclass } = relation;
    const name = demandName(relation.name, `the name of a table in schema ${schema}`);
    const sql = `${quote(schema)}.${quote(name)}`;
    return {
      ...relation,
      name: [...(schema === 'public' ? [] : [schema]), name].map(toLabel).join('.'),
      // The rows of tables that inherit from this one are rows of theirs.
      sql: hasSubclass && kind === 'r' ? `ONLY ${sql}` : sql,
    };
  });
}

/** A name as people write it; quoted if it contains a dot, which would separate two names. */
const toLabel = (name: string): string => (/[."]/.test(name) ? quote(name) : name);

function demandName(cell: Cell, what: string): string {
  const name = nameOf(cell);
  if (name !== undefined) return name;
  throw new InputError(`${what} is not UTF-8 (${text(cell).slice(2)}); rename it first`);
}

async function readAttributes(connection: Connection): Promise<Attribute[]> {
  const rows = await connection.records(
    `SELECT a.attrelid AS relation, a.attnum AS number, ${bytes('a.attname')} AS name,
       a.atttypid AS type, a.atttypmod AS modifier, a.attnotnull AS "isNotNull",
       ${bytes('pg_catalog.format_type(a.atttypid, a.atttypmod)')} AS declared,
       CASE WHEN a.attgenerated <> ''
         THEN ${bytes('pg_catalog.pg_get_expr(d.adbin, d.adrelid, true)')} END AS expression,
       ${bytes('ln.nspname')} AS "collationSchema", ${bytes('l.collname')} AS collation,
       NOT l.collisdeterministic AS "isOfIcu", ${isUnsafe('pg_attrdef', 'd.oid')} AS "isUnsafe"
     FROM pg_catalog.pg_attribute a
     JOIN ${CLASSES} ON c.oid = a.attrelid
     LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation
     LEFT JOIN pg_catalog.pg_namespace ln ON ln.oid = l.collnamespace
     WHERE ${OWN} AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY a.attrelid, a.attnum`,
    {
      relation: integer,
      number: integer,
      name: (cell: Cell): string => demandName(cell, 'the name of a column'),
      type: integer,
      modifier: integer,
      isNotNull: flag,
      declared: nameOf,
      expression: nameOf,
      collationSchema: nameOf,
      collation: nameOf,
      isOfIcu: flag,
      isUnsafe: flag,
    },
  );
  const types = await Types.read(connection, new Set(rows.map(({ type }) => type)));
  return rows.map((row): Attribute => {
    const { name, modifier, collation } = row;
    const traits = types.find(row.type);
    return {
      relation: row.relation,
      number: row.number,
      name,
      sql: quote(name),
      // For people, as they write it.
      type: (row.declared ?? traits.base).replace(/^public\./, ''),
      modifier: modifier >= 0 ? modifier : traits.modifier,
      isNotNull: row.isNotNull,
      traits,
      base: traits.base,
      isBuiltIn: traits.isBuiltIn,
      isExact: traits.text?.isExact ?? true,
      hasStructure: traits.text?.structure !== undefined,
      keyForm: traits.is,
      collation: collation
        ? `${quote(row.collationSchema as string)}.${quote(collation)}`
        : undefined,
      equality: findEquality(traits, row.isOfIcu),
      expression: row.expression,
      isUnsafe: row.isUnsafe,
    };
  });
}

/** A column or an expression of an index, with what all parts of the index have in common. */
const INDEX_PART = {
  index: integer,
  relation: integer,
  name: (cell: Cell): string => demandName(cell, 'the name of an index'),
  isPrimary: flag,
  isExclusion: flag,
  isImmediate: flag,
  predicate: raw,
  key: integer,
  expression: nameOf,
  isPlain: flag,
  collationSchema: nameOf,
  collation: nameOf,
  equalSchema: nameOf,
  equal: nameOf,
  greaterSchema: nameOf,
  greater: nameOf,
  comparesNulls: flag,
  dependencies: integers,
  keys: integers,
  isUnsafe: flag,
};

async function readIndexes(
  connection: Connection,
  attributes: ReadonlyMap<number, readonly Attribute[]>,
): Promise<Index[]> {
  const rows = await connection.records(
    `SELECT i.indexrelid AS index, i.indrelid AS relation, ${bytes('ic.relname')} AS name,
       i.indisprimary AS "isPrimary", i.indisexclusion AS "isExclusion",
       i.indimmediate AS "isImmediate",
       ${bytes('pg_catalog.pg_get_expr(i.indpred, i.indrelid, true)')} AS predicate,
       i.indkey[k.n - 1] AS key,
       ${bytes('pg_catalog.pg_get_indexdef(i.indexrelid, k.n, true)')} AS expression,
       i.indoption[k.n - 1] = 0 AND oc.opcdefault
         AND i.indcollation[k.n - 1] = coalesce(a.attcollation, 0) AS "isPlain",
       ${bytes('ln.nspname')} AS "collationSchema", ${bytes('l.collname')} AS collation,
       ${bytes('opn.nspname')} AS "equalSchema", ${bytes('op.oprname')} AS equal,
       ${bytes('gn.nspname')} AS "greaterSchema", ${bytes('g.oprname')} AS greater,
       coalesce((pg_catalog.to_jsonb(i) ->> 'indnullsnotdistinct')::boolean, false)
         AS "comparesNulls",
       (SELECT pg_catalog.string_agg(dep.refobjsubid::text, ' ') FROM pg_catalog.pg_depend dep
        WHERE dep.classid = 'pg_catalog.pg_class'::regclass AND dep.objid = i.indexrelid
          AND dep.refclassid = 'pg_catalog.pg_class'::regclass AND dep.refobjid = i.indrelid
          AND dep.refobjsubid > 0) AS dependencies,
       (SELECT pg_catalog.string_agg(part::text, ' ')
        FROM pg_catalog.unnest(i.indkey[0:i.indnkeyatts - 1]) part) AS keys,
       ${isUnsafe('pg_class', 'i.indexrelid')} AS "isUnsafe"
     FROM pg_catalog.pg_index i
     JOIN pg_catalog.pg_class ic ON ic.oid = i.indexrelid
     JOIN ${CLASSES} ON c.oid = i.indrelid
     CROSS JOIN LATERAL pg_catalog.generate_series(1, i.indnkeyatts::int) k (n)
     JOIN pg_catalog.pg_opclass oc ON oc.oid = i.indclass[k.n - 1]
     LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[k.n - 1]
       AND a.attnum > 0
     LEFT JOIN pg_catalog.pg_collation l ON l.oid = i.indcollation[k.n - 1]
     LEFT JOIN pg_catalog.pg_namespace ln ON ln.oid = l.collnamespace
     LEFT JOIN pg_catalog.pg_constraint con
       ON i.indisexclusion AND con.conindid = i.indexrelid AND con.contype = 'x'
     LEFT JOIN pg_catalog.pg_amop ao ON NOT i.indisexclusion AND ao.amopfamily = oc.opcfamily
       AND ao.amoplefttype = oc.opcintype AND ao.amoprighttype = oc.opcintype AND ao.amopstrategy = 3
     JOIN pg_catalog.pg_operator op ON op.oid = coalesce(con.conexclop[k.n], ao.amopopr)
     JOIN pg_catalog.pg_namespace opn ON opn.oid = op.oprnamespace
     LEFT JOIN pg_catalog.pg_amop ag ON NOT i.indisexclusion AND ag.amopfamily = oc.opcfamily
       AND ag.amoplefttype = oc.opcintype AND ag.amoprighttype = oc.opcintype AND ag.amopstrategy = 5
     LEFT JOIN pg_catalog.pg_operator g ON g.oid = ag.amopopr
     LEFT JOIN pg_catalog.pg_namespace gn ON gn.oid = g.oprnamespace
     WHERE ${OWN} AND (i.indisunique OR i.indisexclusion) AND i.indisvalid
     ORDER BY i.indexrelid, k.n`,
    INDEX_PART,
  );
  const groups = groupBy(rows, ({ index }) => index);
  return [...groups.values()].map((parts): Index => {
    const [first] = parts as [RecordOf<Cell, typeof INDEX_PART>];
    const { relation } = first;
    const columns = attributes.get(relation) ?? [];
    const numbers = [...first.dependencies, ...first.keys];
    const keys = parts.map(({ key }) => key);
    const isKey =
      first.predicate === null &&
      !first.isExclusion &&
      first.isImmediate &&
      parts.every(({ isPlain }) => isPlain) &&
      keys.every((key) => columns.find(({ number }) => number === key)?.isNotNull);
    return {
      relation,
      name: first.name,
      isPrimary: first.isPrimary,
      columns: columns.filter(({ number }) => numbers.includes(number)).map(({ name }) => name),
      keyNumbers: isKey ? keys : undefined,
      predicate: nameOf(first.predicate),
      comparesNulls: first.comparesNulls,
      isUnsafe: first.isUnsafe,
      greater: parts.map(({ greaterSchema, greater }) =>
        greaterSchema ? toOperator(greaterSchema, greater) : '',
      ),
      parts: parts.map((part) => ({
        column: columns.find(({ number }) => number === part.key)?.name,
        expression: part.expression as string,
        collation: part.collation
          ? `${quote(part.collationSchema as string)}.${quote(part.collation)}`
          : undefined,
        operator: toOperator(part.equalSchema, part.equal),
      })),
    };
  });
}

/** An operator by its schema and its name, which needs no quotes. */
const toOperator = (schema = '', name = ''): string =>
  `OPERATOR(${schema === 'pg_catalog' ? schema : quote(schema)}.${name})`;

/** Tells whether only the server may evaluate an index, or a generated column in it. */
export const needsServer = (index: UniqueIndex, columns: readonly Column[]): boolean =>
  index.isUnsafe || columns.some(({ name, isUnsafe }) => isUnsafe && index.columns.includes(name));

/** The columns of a key: of the primary one, or of the shortest, the first by name. */
function findKey(
  relation: number,
  indexes: ReadonlyMap<number, readonly Index[]>,
  columns: readonly Attribute[],
): KeyColumn[] | undefined {
  const [best] = (indexes.get(relation) ?? [])
    .filter(({ keyNumbers }) => keyNumbers)
    .sort(
      (a, b) =>
        Number(b.isPrimary) - Number(a.isPrimary) ||
        a.parts.length - b.parts.length ||
        (a.name < b.name ? -1 : 1),
    );
  return best?.keyNumbers?.map((key, i) => ({
    ...(columns.find(({ number }) => number === key) as Attribute),
    equal: best.parts[i]?.operator as string,
    greater: best.greater[i] as string,
  }));
}

/**
 * Chooses tables: a partitioned table as a whole if it has a key, since a row whose partition key changes
 * then keeps its identity while the server moves it; else each partition. Foreign tables are not ours to
 * change, nor tables that have such partitions.
 */
function chooseTables(
  relations: readonly Relation[],
  attributes: ReadonlyMap<number, readonly Attribute[]>,
  indexes: ReadonlyMap<number, readonly Index[]>,
): Relation[] {
  const byParent = groupBy(relations, ({ parent }) => parent);
  return (byParent.get(0) ?? []).flatMap((relation) => {
    if (relation.kind !== 'p') return relation.kind === 'r' ? [relation] : [];
    const leaves = descend(relation.oid, byParent);
    const isWhole =
      leaves.every(({ kind }) => kind !== 'f') &&
      findKey(relation.oid, indexes, attributes.get(relation.oid) ?? []);
    return isWhole ? [relation] : leaves.filter(({ kind }) => kind === 'r');
  });
}

/** All partitions below a table. */
function descend(
  oid: number,
  byParent: ReadonlyMap<number, readonly Relation[]>,
): readonly Relation[] {
  return (byParent.get(oid) ?? []).flatMap((each) => [each, ...descend(each.oid, byParent)]);
}

/** All partitioned tables above a partition. */
function ascend({ parent }: Relation, relations: readonly Relation[]): readonly Relation[] {
  const above = relations.find(({ oid }) => oid === parent);
  return above ? [above, ...ascend(above, relations)] : [];
}

const isTextNumber = (n: number, columns: readonly Attribute[] | undefined): boolean =>
  columns?.some(({ number, traits }) => number === n && traits.text !== undefined) ?? false;

/** Collations are deterministic, unless they are said not to be: only the same bytes are equal. */
const findEquality = ({ base }: TypeTraits, isOfIcu: boolean): string | undefined =>
  isOfIcu ? 'icu' : base.endsWith('.citext') ? 'citext' : undefined;

/** Tells whether a column changes if text changes. */
const isAffected = (name: string, columns: readonly Attribute[]): boolean => {
  const column = columns.find((each) => each.name === name);
  return column?.traits.text !== undefined || column?.expression !== undefined;
};

function toTextColumn(column: Attribute, encoding: string): TextColumn {
  const { name, sql, type, traits, modifier, equality } = column;
  // Four bytes of the modifier are for a header.
  const limit = traits.isLimited && modifier >= 4 ? modifier - 4 : undefined;
  const isByBytes = encoding === 'SQL_ASCII';
  return {
    name,
    sql,
    type,
    structure: traits.text?.structure,
    charset: encoding,
    collation: equality,
    characters: isByBytes ? undefined : limit,
    bytes: isByBytes ? limit : undefined,
    isGenerated: false,
    narrowness: undefined,
  };
}

interface FoundEffect {
  readonly relation: number;
  readonly name: string;
  readonly isRule: boolean;
  /** True if only a row that moves to another partition sets it off. */
  readonly isOfMove: boolean;
}

/** Bits of `pg_trigger.tgtype`: UPDATE, and INSERT or DELETE. */
const ON_UPDATE = 16;
const ON_MOVE = 4 | 8;

async function readEffects(
  connection: Connection,
  attributes: ReadonlyMap<number, readonly Attribute[]>,
): Promise<FoundEffect[]> {
  const triggers = await connection.records(
    `SELECT t.tgrelid AS relation, ${bytes('t.tgname')} AS name, t.tgtype AS type,
       t.tgattr::text AS columns
     FROM pg_catalog.pg_trigger t JOIN ${CLASSES} ON c.oid = t.tgrelid
     WHERE ${OWN} AND NOT t.tgisinternal AND t.tgenabled <> 'D' ORDER BY t.tgname`,
    { relation: integer, name: label, type: integer, columns: integers },
  );
  const rules = await connection.records(
    `SELECT r.ev_class AS relation, ${bytes('r.rulename')} AS name
     FROM pg_catalog.pg_rewrite r JOIN ${CLASSES} ON c.oid = r.ev_class
     WHERE ${OWN} AND r.ev_type = '2' AND r.ev_enabled <> 'D' ORDER BY r.rulename`,
    { relation: integer, name: label },
  );
  return [
    ...triggers.flatMap(({ relation, name, type, columns }) => {
      const isUpdate =
        (type & ON_UPDATE) > 0 &&
        (columns.length === 0 || columns.some((n) => isTextNumber(n, attributes.get(relation))));
      // A row that moves to another partition is deleted from one and inserted into the other.
      if (!isUpdate && (type & ON_MOVE) === 0) return [];
      return { relation, name: `trigger ${name}`, isRule: false, isOfMove: !isUpdate };
    }),
    ...rules.map(({ relation, name }) => ({
      relation,
      name: `rule ${name}`,
      isOfMove: false,
      isRule: true,
    })),
  ];
}

interface ForeignKey {
  readonly name: string;
  readonly sql: string;
  readonly child: number;
  readonly childColumns: readonly string[];
  readonly parent: number;
  readonly parentColumns: readonly string[];
  readonly onUpdate: string;
  readonly isDeferrable: boolean;
  readonly isText: boolean;
  readonly operators: ComparedReference['operators'];
}

/** Reads what {@link operators} selects. */
const readOperators = (cell: Cell): string[] =>
  (cell ? cell.split(' ') : []).map((operator) => {
    const [schema, name] = operator.split('.').map(nameOf);
    return toOperator(schema, name);
  });

/** The operators of a foreign key, as `schema.name` in hex, between spaces. */
const operators = (column: string): string =>
  `(SELECT pg_catalog.string_agg(pg_catalog.concat(${bytes('en.nspname')}, '.', ${bytes('e.oprname')}), ' '
      ORDER BY k.n)
    FROM pg_catalog.unnest(o.${column}) WITH ORDINALITY k (oid, n)
    JOIN pg_catalog.pg_operator e ON e.oid = k.oid
    JOIN pg_catalog.pg_namespace en ON en.oid = e.oprnamespace)`;

const demandConstraint = (cell: Cell): string => demandName(cell, 'the name of a constraint');

async function readForeignKeys(
  connection: Connection,
  attributes: ReadonlyMap<number, readonly Attribute[]>,
): Promise<ForeignKey[]> {
  const rows = await connection.records(
    `SELECT ${bytes('o.conname')} AS name, ${bytes('cn.nspname')} AS schema, o.conrelid AS child,
       o.confrelid AS parent, pg_catalog.array_to_string(o.conkey, ' ') AS "childColumns",
       pg_catalog.array_to_string(o.confkey, ' ') AS "parentColumns",
       o.confupdtype AS "onUpdate", o.condeferrable AS "isDeferrable",
       ${operators('conpfeqop')} AS "parentWithChild", ${operators('conppeqop')} AS parents,
       ${operators('conffeqop')} AS children
     FROM pg_catalog.pg_constraint o
     JOIN pg_catalog.pg_namespace cn ON cn.oid = o.connamespace
     JOIN ${CLASSES} ON c.oid = o.conrelid
     WHERE ${OWN} AND o.contype = 'f' ORDER BY o.conname, o.oid`,
    {
      name: demandConstraint,
      schema: demandConstraint,
      child: integer,
      childColumns: integers,
      parent: integer,
      parentColumns: integers,
      onUpdate: text,
      isDeferrable: flag,
      parentWithChild: readOperators,
      parents: readOperators,
      children: readOperators,
    },
  );
  return rows.map((row) => {
    const { name, schema, child, parent, onUpdate, isDeferrable } = row;
    const find = (oid: number, numbers: readonly number[]): Attribute[] =>
      numbers.flatMap((n) => (attributes.get(oid) ?? []).filter(({ number }) => number === n));
    const children = find(child, row.childColumns);
    return {
      name,
      sql: `${quote(schema)}.${quote(name)}`,
      child,
      childColumns: children.map((column) => column.name),
      parent,
      parentColumns: find(parent, row.parentColumns).map((column) => column.name),
      onUpdate,
      isDeferrable,
      isText: children.some(({ traits }) => traits.text),
      operators: children.map((_, i) => ({
        parentWithChild: row.parentWithChild[i] as string,
        parents: row.parents[i] as string,
        children: row.children[i] as string,
      })),
    };
  });
}

const toReference = (key: ForeignKey, names: ReadonlyMap<number, string>): TextReference => ({
  name: key.name,
  child: names.get(key.child) as string,
  childColumns: key.childColumns,
  parent: names.get(key.parent) as string,
  parentColumns: key.parentColumns,
  cascades: key.onUpdate === 'c',
});

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

/** Items by a number, in their order. */
function groupBy<Item>(
  items: readonly Item[],
  find: (item: Item) => number,
): ReadonlyMap<number, readonly Item[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const group = groups.get(find(item));
    if (group) group.push(item);
    else groups.set(find(item), [item]);
  }
  return groups;
}

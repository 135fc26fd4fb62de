/**
 * Functions other than triggers that a change of a row runs: those of constraints, indexes, generated
 * columns, partition keys and types. They run as the role that changes the row.
 */
import { integer, label, text } from './postgres-cell.js';
import type { Connection } from './postgres-connection.js';

/** A function, and its caller. */
export interface CalledFunction {
  /** The oid of the table. */
  readonly relation: number;
  /** Such as `constraint t_check, which calls the function public.f`. */
  readonly name: string;
}

/** The catalogues in which an expression's dependencies are found. */
const PARTS = `('pg_catalog.pg_proc'::regclass, 'pg_catalog.pg_operator'::regclass, 'pg_catalog.pg_type'::regclass)`;

/**
 * Returns a condition: an object depends on functions, operators or types that are not the server's own. A
 * second reading of its expression may choose other functions of the same names.
 */
export const isUnsafe = (catalogue: string, oid: string): string =>
  `EXISTS (SELECT FROM pg_catalog.pg_depend u WHERE u.classid = 'pg_catalog.${catalogue}'::regclass
    AND u.objid = ${oid} AND u.refclassid IN ${PARTS})`;

/** Only superusers write functions in C, which do what their extension documents. */
const IS_OF_USERS = `l.lanname NOT IN ('internal', 'c') AND fn.nspname <> 'pg_catalog'`;

/** A function of the server that may run others, as `query_to_xml` does, or change something. */
const IS_LOOSE = `fn.nspname = 'pg_catalog' AND p.provolatile <> 'i' AND (p.provolatile = 'v'
  OR p.prorettype = 'pg_catalog.xml'::regtype OR EXISTS (SELECT FROM pg_catalog.pg_type a
    WHERE a.oid = ANY (p.proargtypes) AND a.typtype = 'p'))`;

/**
 * Finds the functions that changes of rows run.
 *
 * @param classes - The tables `c` with their schemas `n`, and a condition of them.
 */
export async function findFunctions(
  connection: Connection,
  classes: string,
  condition: string,
): Promise<CalledFunction[]> {
  const rows = await connection.records(
    `WITH RECURSIVE part (relation, kind, oid, classid, objid) AS (
       SELECT c.oid, 'index', i.indexrelid, 'pg_catalog.pg_class'::regclass::oid, i.indexrelid
       FROM pg_catalog.pg_index i JOIN ${classes} ON c.oid = i.indrelid WHERE ${condition}
       UNION ALL
       SELECT c.oid, 'constraint', o.oid, 'pg_catalog.pg_constraint'::regclass, o.oid
       FROM pg_catalog.pg_constraint o JOIN ${classes} ON c.oid = o.conrelid
       WHERE ${condition} AND o.contype = 'c'
       UNION ALL
       SELECT c.oid, 'column', a.attnum::oid, 'pg_catalog.pg_attrdef'::regclass, d.oid
       FROM pg_catalog.pg_attrdef d JOIN ${classes} ON c.oid = d.adrelid
       JOIN pg_catalog.pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
       WHERE ${condition} AND a.attgenerated <> ''
       UNION ALL
       SELECT c.oid, 'table', c.oid, 'pg_catalog.pg_class'::regclass, c.oid
       FROM ${classes} WHERE ${condition}
     ), reached AS (
       SELECT * FROM part
       UNION
       SELECT r.relation, r.kind, r.oid, x.classid, x.objid FROM reached r CROSS JOIN LATERAL (
         SELECT d.refclassid, d.refobjid FROM pg_catalog.pg_depend d
         WHERE d.classid = r.classid AND d.objid = r.objid AND d.refclassid IN ${PARTS}
           AND r.classid <> 'pg_catalog.pg_proc'::regclass
         UNION ALL
         SELECT 'pg_catalog.pg_class'::regclass, t.typrelid FROM pg_catalog.pg_type t
         WHERE r.classid = 'pg_catalog.pg_type'::regclass AND t.oid = r.objid AND t.typrelid <> 0
         UNION ALL
         SELECT 'pg_catalog.pg_constraint'::regclass, o.oid FROM pg_catalog.pg_constraint o
         WHERE r.classid = 'pg_catalog.pg_type'::regclass AND o.contypid = r.objid
       ) x (classid, objid)
     ), called AS (
       SELECT r.relation, r.kind, r.oid, p.oid AS function FROM reached r
       JOIN pg_catalog.pg_proc p ON p.oid = r.objid
       JOIN pg_catalog.pg_language l ON l.oid = p.prolang
       JOIN pg_catalog.pg_namespace fn ON fn.oid = p.pronamespace
       WHERE r.classid = 'pg_catalog.pg_proc'::regclass AND ${IS_OF_USERS}
       UNION
       SELECT r.relation, r.kind, r.oid, p.oid FROM reached r
       JOIN pg_catalog.pg_constraint o ON o.oid = r.objid
       CROSS JOIN LATERAL pg_catalog.regexp_matches(o.conbin::text, ':(?:op)?funcid ([0-9]+)', 'g') m
       JOIN pg_catalog.pg_proc p ON p.oid = m[1]::oid
       JOIN pg_catalog.pg_namespace fn ON fn.oid = p.pronamespace
       WHERE r.classid = 'pg_catalog.pg_constraint'::regclass AND ${IS_LOOSE}
     )
     SELECT f.relation, f.kind, pg_catalog.textsend((CASE f.kind
         WHEN 'constraint' THEN (SELECT o.conname FROM pg_catalog.pg_constraint o WHERE o.oid = f.oid)
         WHEN 'column' THEN (SELECT a.attname FROM pg_catalog.pg_attribute a
           WHERE a.attrelid = f.relation AND a.attnum::oid = f.oid)
         ELSE (SELECT k.relname FROM pg_catalog.pg_class k WHERE k.oid = f.oid) END)::text) AS name,
       pg_catalog.textsend(fn.nspname::text) AS schema, pg_catalog.textsend(p.proname::text) AS called
     FROM called f JOIN pg_catalog.pg_proc p ON p.oid = f.function
     JOIN pg_catalog.pg_namespace fn ON fn.oid = p.pronamespace
     ORDER BY f.relation, f.kind, f.oid, p.oid`,
    { relation: integer, kind: text, name: label, schema: label, called: label },
  );
  return rows.map(({ relation, kind, name, schema, called }) => ({
    relation,
    name: `${kind} ${name}, which calls the function ${schema}.${called}`,
  }));
}

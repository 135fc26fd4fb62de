/** Foreign keys of text, from and to a value that changes. */
import type { Change, Server } from '../server/server.js';
import type { Table, TextColumn, TextReference } from '../server/table.js';
import type { FoundHazard } from './hazard.js';
import { judgeChange, judgeTable } from './judge.js';

/** All tables of a database, by name. */
export type Tables = ReadonlyMap<string, Table>;

/** Foreign keys that end at a column. */
export const findChildren = (table: Table, column: string): readonly TextReference[] =>
  table.references.filter(
    ({ parent, parentColumns }) => parent === table.name && parentColumns.includes(column),
  );

/** Foreign keys that begin at a column. */
const findParents = (table: Table, column: string): readonly TextReference[] =>
  table.references.filter(
    ({ child, childColumns }) => child === table.name && childColumns.includes(column),
  );

/**
 * Finds the foreign keys that changes of a row concern, and the rows that would change with them.
 *
 * @param moves - True if children change with their parent, so that their hazards count as well.
 */
export async function findReferenceHazards(
  server: Server,
  tables: Tables,
  table: Table,
  changes: readonly Change[],
  moves: boolean,
): Promise<FoundHazard[]> {
  if (table.references.length === 0) return [];
  const found: FoundHazard[] = [];
  for (const change of changes) {
    const column = change.column.name;
    for (const reference of findParents(table, column)) {
      if (!(await isUsed(server, tables.get(reference.parent), reference.parentColumns, change)))
        continue;
      const isFinal = isComposite(reference);
      found.push({ ...describe(reference, column), isFinal, follows: !isFinal });
    }
    for (const reference of findChildren(table, column)) {
      if (!(await isUsed(server, tables.get(reference.child), reference.childColumns, change)))
        continue;
      found.push({ ...describe(reference, column), isFinal: isComposite(reference) });
      if (moves) found.push(...findMoveHazards(tables, reference, change));
    }
  }
  return found;
}

const isComposite = ({ parentColumns }: TextReference): boolean => parentColumns.length > 1;

const describe = ({ name }: TextReference, column: string): FoundHazard => ({
  hazard: 'orphaned-row',
  name: `foreign key ${name}`,
  column,
});

/** Tells whether rows of the other table have the value; true if that cannot be told. */
async function isUsed(
  server: Server,
  other: Table | undefined,
  columns: readonly string[],
  { old }: Change,
): Promise<boolean> {
  if (!other?.key || columns.length > 1) return true;
  return (await server.findRows(other, columns, [old], 1)).length > 0;
}

/** Finds the hazards of changing all children with a value, and theirs. */
function findMoveHazards(tables: Tables, first: TextReference, change: Change): FoundHazard[] {
  const found: FoundHazard[] = [];
  const seen = new Set<string>();
  const visit = (reference: TextReference): void => {
    const id = JSON.stringify([reference.child, reference.name, reference.childColumns]);
    if (seen.has(id)) return;
    seen.add(id);
    const child = tables.get(reference.child);
    const column = child && findColumn(child, reference);
    if (!child || !column || isComposite(reference)) {
      found.push({ ...describe(reference, reference.childColumns.join(', ')), isFinal: true });
      return;
    }
    const parents = findParents(child, column.name);
    // Its other parent would not change.
    const other = parents.find(
      ({ parent, parentColumns }) =>
        parent !== reference.parent || `${parentColumns}` !== `${reference.parentColumns}`,
    );
    if (other) found.push({ ...describe(other, column.name), isFinal: true });
    for (const hazard of [...judgeChange({ ...change, column }), ...judgeTable(child)]) {
      found.push({ ...hazard, name: `${child.name}: ${hazard.name}`, table: child.name });
    }
    findChildren(child, column.name).forEach(visit);
  };
  visit(first);
  return found;
}

/** The column of a child; undefined if it cannot be changed. */
export const findColumn = (
  { columns }: Table,
  { childColumns }: TextReference,
): TextColumn | undefined =>
  columns.find(({ name, isGenerated }) => name === childColumns[0] && !isGenerated);

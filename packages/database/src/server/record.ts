/** Rows of a catalogue, read by the names of their columns. */

/** A row as a driver returns it, by the names of its columns. */
export type NamedRow<Cell> = Readonly<Record<string, Cell>>;

/** The columns of a query, each with the function that reads its cells. */
export type Fields<Cell> = Readonly<Record<string, (cell: Cell) => unknown>>;

/** A row whose cells were read. */
export type RecordOf<Cell, Own extends Fields<Cell>> = {
  readonly [Name in keyof Own]: ReturnType<Own[Name]>;
};

/**
 * Reads rows by the names of their columns.
 *
 * @throws TypeError if a row lacks a column, which is a mistake in the query.
 */
export function readRecords<Cell, Own extends Fields<Cell>>(
  rows: Iterable<NamedRow<Cell>>,
  fields: Own,
): RecordOf<Cell, Own>[] {
  const readers = Object.entries(fields);
  return Array.from(rows, (row) => {
    const cells = readers.map(([name, read]) => {
      if (!Object.hasOwn(row, name)) {
        throw new TypeError(
          `a catalogue query returned no column ${name}, but ${Object.keys(row).join(', ')}`,
        );
      }
      return [name, read(row[name] as Cell)] as const;
    });
    return Object.fromEntries(cells) as RecordOf<Cell, Own>;
  });
}

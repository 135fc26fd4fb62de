/** Places in files, in one style: `FILE:LINE:COLUMN`, or `FILE:LINE` where no column is counted. */

/** A record, and a line of it. */
interface Place {
  readonly file: string;
  readonly line: number;
  /** Zero outside of records. */
  readonly record: number;
}

/** Known parts of the place other than the line. */
interface PlaceDetails {
  readonly column?: string | number | undefined;
  readonly table?: string | undefined;
  readonly key?: Readonly<Record<string, string | null>> | undefined;
}

/** Such as `dump.csv:17`, or `dump.csv:17:5`, with the column in characters. */
export const nameLine = (file: string, line: number, column?: number): string =>
  `${file}:${line}${column === undefined ? '' : `:${column}`}`;

/** Such as `column name (record 16, id "12")`, or `record 16, id "12"` without a column. */
export function describeRecord(
  record: number | undefined,
  { column, table, key }: PlaceDetails,
): string {
  if (record === 0) return 'outside of records';
  const which = [
    ...(record === undefined ? [] : [`record ${record}`]),
    ...(table === undefined ? [] : [`table ${table}`]),
    ...(key ? [describeKey(key)] : []),
  ].join(', ');
  if (column === undefined) return which;
  return `column ${column}${which && ` (${which})`}`;
}

/** Such as `new.csv:17 (record 16, id "12")`. */
export const nameRecord = ({ file, line, record }: Place, details: PlaceDetails): string =>
  `${nameLine(file, line)} (${describeRecord(record, details)})`;

/** Such as `id "12"`. */
export const describeKey = (key: Readonly<Record<string, string | null>>): string =>
  Object.entries(key)
    .map(([column, value]) => `${column} ${JSON.stringify(value)}`)
    .join(', ');

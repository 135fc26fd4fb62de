/** Meanings of the catalogue's cells. */

/** A value as the server writes it; null for NULL. */
export type Cell = Buffer | null;

/** Text; NULL is empty. */
export const text = (cell: Cell): string => cell?.toString() ?? '';

/** Text; undefined if it is NULL or empty. */
export const textIfAny = (cell: Cell): string | undefined => text(cell) || undefined;

export const numberIfAny = (cell: Cell): number | undefined =>
  text(cell) ? Number(text(cell)) : undefined;

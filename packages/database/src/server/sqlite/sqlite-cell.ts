/** Meanings of the catalogue's cells. */
import type { SqlValue } from './sqlite-driver.js';

export const text = (cell: SqlValue): string => String(cell ?? '');

export const textIfAny = (cell: SqlValue): string | undefined =>
  cell === null ? undefined : String(cell);

export const integer = (cell: SqlValue): number => Number(cell);

export const flag = (cell: SqlValue): boolean => cell === 1n;

export const bytes = (cell: SqlValue): Uint8Array => cell as Uint8Array;

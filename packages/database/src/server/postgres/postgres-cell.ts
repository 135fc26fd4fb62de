/** Meanings of the catalogue's cells. Names arrive as bytes in hex, since they may be in any encoding. */
import { TextDecoder } from 'node:util';

/** A cell of a result: text of ASCII, or null for NULL. */
export type Cell = string | null;

export const integer = (cell: Cell): number => Number(cell);

/** Numbers between spaces; none for NULL. */
export const integers = (cell: Cell): number[] => (cell ? cell.split(' ').map(Number) : []);

export const flag = (cell: Cell): boolean => cell === 't';

/** Text in ASCII; NULL is empty. */
export const text = (cell: Cell): string => cell ?? '';

/** A cell to read later, or in a message of its own. */
export const raw = (cell: Cell): Cell => cell;

/** The bytes of a cell of type `bytea`. */
export const bytesOf = (cell: string): Uint8Array => Buffer.from(cell.slice(2), 'hex');

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A name in the catalogue, or an expression; undefined if it is NULL or is not UTF-8. */
export function nameOf(cell: Cell | undefined): string | undefined {
  if (cell == null) return undefined;
  try {
    return decoder.decode(bytesOf(cell));
  } catch {
    return undefined;
  }
}

/** A name in the catalogue for people: the hex of its bytes if it is not UTF-8. */
export const label = (cell: Cell): string => nameOf(cell) ?? text(cell);

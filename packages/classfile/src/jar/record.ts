/** What the headers of an entry say: the record in the directory, and the local one. APPNOTE.TXT 4.4. */
import { decodeName } from './name.js';

/** The numbers of an entry. */
export interface EntryFields {
  readonly flags: number;
  readonly method: number;
  /** CRC-32 of the bytes. */
  readonly checksum: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Where its local header begins, in bytes from the start of the archive. */
  readonly offset: number;
}

/** An entry of an archive. */
export interface Entry extends EntryFields {
  readonly name: string;
  /** The offset in the archive of what this was read from, in bytes. */
  readonly record: { readonly position: number; readonly length: number };
}

/** The extra field with numbers of 64 bits. APPNOTE.TXT 4.5.3. */
export const ZIP64 = 0x0001;

const FULL32 = 0xffffffff;

/** Calls back for each extra field with where it begins; tells whether they end where they should. */
export function visitExtra(
  bytes: Uint8Array,
  visit: (id: number, start: number, end: number) => void,
): boolean {
  let at = 0;
  // Up to three bytes after the last are how some tools align entries.
  while (at + 4 <= bytes.length) {
    const id = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
    const length = (bytes[at + 2] as number) | ((bytes[at + 3] as number) << 8);
    if (at + 4 + length > bytes.length) return false;
    visit(id, at + 4, at + 4 + length);
    at += 4 + length;
  }
  return true;
}

/** Makes an entry of a header, and says what is wrong with its extra fields. */
export function parseEntry(
  fields: EntryFields,
  rawName: Uint8Array,
  extraBytes: Uint8Array,
  record: Entry['record'],
): { readonly entry: Entry; readonly fault: string | undefined } {
  const extra = new Map<number, Uint8Array>();
  const isWhole = visitExtra(extraBytes, (id, start, end) => {
    if (!extra.has(id)) extra.set(id, extraBytes.subarray(start, end));
  });
  const name = decodeName(rawName, fields.flags, extra);
  const large = extra.get(ZIP64);
  return {
    entry: { ...fields, ...(large && widen(fields, large)), name, record },
    fault: isWhole ? undefined : `the extra fields of ${name} run over their end`,
  };
}

/** The numbers that have no room in 32 bits, in the order in which the field has them. */
export const wide = ['size', 'compressedSize', 'offset'] as const;

/** Where those numbers are in the field, in bytes; one after the field's end does not change. */
export function locateWide(
  fields: Pick<EntryFields, (typeof wide)[number]>,
  length: number,
): Partial<Record<(typeof wide)[number], number>> {
  const places: Partial<Record<(typeof wide)[number], number>> = {};
  let at = 0;
  for (const key of wide) {
    if (fields[key] !== FULL32 || at + 8 > length) continue;
    places[key] = at;
    at += 8;
  }
  return places;
}

function widen(fields: EntryFields, field: Uint8Array): Partial<EntryFields> {
  const view = new DataView(field.buffer, field.byteOffset, field.length);
  const widened: { -readonly [K in keyof EntryFields]?: number } = {};
  for (const [key, at] of Object.entries(locateWide(fields, field.length))) {
    widened[key as keyof EntryFields] =
      view.getUint32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
  }
  return widened;
}

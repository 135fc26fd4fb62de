/** Headers of an entry: the record in the directory, and the local one. APPNOTE.TXT 4.4. */
import { decodeName } from './name.js';

/** The numbers of an entry. */
export interface EntryFields {
  readonly flags: number;
  readonly method: number;
  /** CRC-32 of the bytes. */
  readonly checksum: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Offset of its local header, in bytes from the start of the archive. */
  readonly offset: number;
}

/** An entry of an archive. */
export interface Entry extends EntryFields {
  readonly name: string;
  /** The bytes of the name, as a string of code units up to FF. */
  readonly rawName: string;
  /** Position and length of this header in the archive, in bytes. */
  readonly record: { readonly position: number; readonly length: number };
}

/** The extra field with 64-bit numbers. APPNOTE.TXT 4.5.3. */
export const ZIP64 = 0x0001;

const FULL32 = 0xffffffff;

/** Calls back with the position of each extra field. Returns true if they end at the right place. */
export function visitExtra(
  bytes: Uint8Array,
  visit: (id: number, start: number, end: number) => void,
): boolean {
  let at = 0;
  // Some tools align entries with up to three bytes after the last field.
  while (at + 4 <= bytes.length) {
    const id = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
    const length = (bytes[at + 2] as number) | ((bytes[at + 3] as number) << 8);
    if (at + 4 + length > bytes.length) return false;
    visit(id, at + 4, at + 4 + length);
    at += 4 + length;
  }
  return true;
}

/** Parses the header of an entry, and lists the errors of its extra fields. */
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
  const { buffer, byteOffset, length } = rawName;
  const raw = Buffer.from(buffer, byteOffset, length).toString('latin1');
  return {
    entry: { ...fields, ...(large && widen(fields, large)), name, rawName: raw, record },
    fault: isWhole ? undefined : `the extra fields of ${name} run over their end`,
  };
}

/** The numbers that may not fit 32 bits, in their order in the extra field. */
export const wide = ['size', 'compressedSize', 'offset'] as const;

/** Returns the positions of those numbers in the field, in bytes. Numbers past its end do not change. */
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

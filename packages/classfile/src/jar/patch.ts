/** Headers of entries and end records with other numbers. */
import { type EntryFields, locateWide, visitExtra, ZIP64 } from './record.js';

const FULL16 = 0xffff;
const FULL32 = 0xffffffff;

/** Thrown if a number does not fit its field. */
export class RoomError extends Error {}

/** Fields of an entry that may change. */
export type Numbers = Pick<EntryFields, 'checksum' | 'compressedSize' | 'size' | 'offset'>;

/** Offsets of the fields in a header. */
interface Layout {
  readonly checksum: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Undefined in the local header, which lacks this field. */
  readonly offset: number | undefined;
  readonly nameLength: number;
  readonly length: number;
}

/** APPNOTE.TXT 4.3.7. */
const local: Layout = {
  checksum: 14,
  compressedSize: 18,
  size: 22,
  offset: undefined,
  nameLength: 26,
  length: 30,
};

/** APPNOTE.TXT 4.3.12. */
const central: Layout = {
  checksum: 16,
  compressedSize: 20,
  size: 24,
  offset: 42,
  nameLength: 28,
  length: 46,
};

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

function writeUint64(view: DataView, position: number, value: number): void {
  view.setUint32(position, value % 2 ** 32, true);
  view.setUint32(position + 4, Math.floor(value / 2 ** 32), true);
}

function writeUint32(view: DataView, position: number, value: number): void {
  if (value >= FULL32) throw new RoomError();
  view.setUint32(position, value, true);
}

/** Finds the extra field with 64-bit numbers in a header: its start and its end. */
function findWide(bytes: Uint8Array, { nameLength, length }: Layout): [number, number] | undefined {
  const view = viewOf(bytes);
  const start = length + view.getUint16(nameLength, true);
  const extra = bytes.subarray(start, start + view.getUint16(nameLength + 2, true));
  let found: [number, number] | undefined;
  visitExtra(extra, (id, from, to) => {
    if (id === ZIP64) found ??= [start + from, start + to];
  });
  return found;
}

/** Writes numbers into a header: each into its 32-bit field, or into the extra field. */
function patch(bytes: Uint8Array, layout: Layout, numbers: Partial<Numbers>): void {
  const view = viewOf(bytes);
  const read = (at: number | undefined): number =>
    at === undefined ? 0 : view.getUint32(at, true);
  const before = {
    size: read(layout.size),
    compressedSize: read(layout.compressedSize),
    offset: read(layout.offset),
  };
  const [start, end] = findWide(bytes, layout) ?? [0, 0];
  const places = locateWide(before, end - start);
  for (const key of ['size', 'compressedSize', 'offset'] as const) {
    const [value, place, at] = [numbers[key], places[key], layout[key]];
    if (value === undefined || at === undefined) continue;
    if (place === undefined) writeUint32(view, at, value);
    else writeUint64(view, start + place, value);
  }
  const { checksum } = numbers;
  if (checksum !== undefined) view.setUint32(layout.checksum, checksum, true);
}

/** Reads the checksum of a local header. */
export const readChecksum = (bytes: Uint8Array): number =>
  viewOf(bytes).getUint32(local.checksum, true);

/** @throws {@link RoomError} if a number needs 64 bits, and the header has 32. */
export const patchLocal = (bytes: Uint8Array, numbers: Omit<Numbers, 'offset'>): void =>
  patch(bytes, local, numbers);

/** @throws {@link RoomError} if a number needs 64 bits, and the record has 32. */
export const patchCentral = (bytes: Uint8Array, numbers: Partial<Numbers>): void =>
  patch(bytes, central, numbers);

/** The directory's numbers in the end record of an archive. */
export interface EndNumbers {
  readonly count: number;
  readonly size: number;
  readonly offset: number;
}

/**
 * Writes the numbers of an end record. With a zip64 end record, its fields may be full.
 *
 * @throws {@link RoomError} if a number needs 64 bits, and the archive has no zip64 end record.
 */
export function patchEnd(bytes: Uint8Array, numbers: EndNumbers, isLarge: boolean): void {
  const view = viewOf(bytes);
  // As before, the count contains the low 16 bits.
  for (const at of [8, 10]) {
    if (isLarge && view.getUint16(at, true) === FULL16) continue;
    view.setUint16(at, numbers.count & FULL16, true);
  }
  for (const [at, value] of [
    [12, numbers.size],
    [16, numbers.offset],
  ] as const) {
    if (isLarge && view.getUint32(at, true) === FULL32) continue;
    writeUint32(view, at, value);
  }
}

/** Writes the numbers of a zip64 end record. APPNOTE.TXT 4.3.14. */
export function patchLargeEnd(bytes: Uint8Array, { count, size, offset }: EndNumbers): void {
  const view = viewOf(bytes);
  writeUint64(view, 24, count);
  writeUint64(view, 32, count);
  writeUint64(view, 40, size);
  writeUint64(view, 48, offset);
}

/** Changes the offset of the zip64 end record in its locator. APPNOTE.TXT 4.3.15. */
export function patchLocator(bytes: Uint8Array, position: number): void {
  writeUint64(viewOf(bytes), 8, position);
}

/** The extra field that aligns an entry, as Android's tools write it. */
const ALIGNMENT = 0xd935;
const ALIGNMENT_LENGTH = 6;

/** Returns a local header, for a given position, whose entry begins at a multiple of some bytes. */
export function alignLocal(bytes: Uint8Array, position: number, alignment: number): Uint8Array {
  const view = viewOf(bytes);
  const nameLength = view.getUint16(local.nameLength, true);
  const start = local.length + nameLength;
  const kept = dropAlignment(bytes.subarray(start));
  let padding = alignment - ((position + start + kept.length) % alignment);
  if (padding === alignment) padding = 0;
  while (padding > 0 && padding < ALIGNMENT_LENGTH) padding += alignment;
  if (kept.length + padding > FULL16) throw new RoomError();
  const result = new Uint8Array(start + kept.length + padding);
  result.set(bytes.subarray(0, start));
  result.set(kept, start);
  const written = viewOf(result);
  written.setUint16(local.nameLength + 2, kept.length + padding, true);
  if (padding > 0) {
    const at = start + kept.length;
    written.setUint16(at, ALIGNMENT, true);
    written.setUint16(at + 2, padding - 4, true);
    written.setUint16(at + 4, alignment, true);
  }
  return result;
}

/** Removes the alignment of an entry from its extra fields: a field of its own, or zeros at the end. */
function dropAlignment(extra: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let end = 0;
  visitExtra(extra, (id, from, to) => {
    const isPadding =
      id === ALIGNMENT || (id === 0 && extra.subarray(from, to).every((b) => b === 0));
    if (!isPadding) parts.push(extra.subarray(from - 4, to));
    end = to;
  });
  const rest = extra.subarray(end);
  if (rest.some((byte) => byte !== 0)) parts.push(rest);
  return Buffer.concat(parts);
}

/** Tells whether bytes encode a text by any rule that the probe knows. */
import { rows as variantRows } from '../generated/rows.js';
import { quirks } from './quirk.js';
import { countMatches, parseRow, type Row } from './row.js';

/** Rows of every variant and quirk, by their first byte. */
const rowsByLead: readonly (readonly Row[])[] = (() => {
  const texts = Object.values(variantRows).flatMap(({ accepted }) => accepted);
  const all = [
    ...[...new Set(texts)].map(parseRow),
    ...quirks.flatMap(({ rows = [], isWhole }) => (isWhole ? [] : rows)),
  ];
  return Array.from({ length: 256 }, (_, byte) =>
    all.filter(({ ranges: [range] }) => range && byte >= range[0] && byte <= range[1]),
  );
})();

/** A sequence of bytes that some variant or quirk reads as a value. */
interface Reading {
  readonly offset: number;
  readonly end: number;
  readonly value: number;
}

function* listReadings(bytes: Uint8Array): Generator<Reading, undefined> {
  for (const [offset, byte] of bytes.entries()) {
    for (const { ranges, value } of rowsByLead[byte] as readonly Row[]) {
      if (countMatches(ranges, bytes, offset) < ranges.length) continue;
      yield { offset, end: offset + ranges.length, value: value(bytes, offset) };
    }
  }
}

/**
 * Tells whether the bytes encode the text: in some variant, by a quirk, in a mixture, or with bytes skipped.
 *
 * @param isFree - Tells whether a value may be anywhere, such as a replacement.
 */
export function isSpelled(
  bytes: Uint8Array,
  text: readonly number[],
  isFree: (value: number) => boolean,
): boolean {
  const readings = new Map<number, Reading[]>();
  for (const reading of listReadings(bytes)) {
    const same = readings.get(reading.value);
    if (same) same.push(reading);
    else readings.set(reading.value, [reading]);
  }
  // The reading that ends first leaves the most bytes, and any byte may be skipped.
  let from = 0;
  for (const value of text) {
    if (isFree(value)) continue;
    const ends = (readings.get(value) ?? [])
      .filter(({ offset }) => offset >= from)
      .map(({ end }) => end);
    if (ends.length === 0) return false;
    from = Math.min(...ends);
  }
  return true;
}

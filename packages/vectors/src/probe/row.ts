/** Rows of byte ranges: sequences that a reader accepts, or counts as one fault. */

export type Range = readonly [first: number, last: number];

export interface Row {
  /** The parts of the sequence that are separate faults if it is malformed; most rows have one. */
  readonly parts: readonly (readonly Range[])[];
  readonly ranges: readonly Range[];
  /** Reads the code point of a matching sequence. */
  readonly value: (bytes: Uint8Array, offset: number) => number;
}

const parseRange = (text: string): Range => {
  const [first = text, last = first] = text.split('-');
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
};

const parseParts = (text: string): Range[][] =>
  text.split('+').map((part) => part.trim().split(/\s+/).map(parseRange));

/** Parses a row of a grammar, its first code point and its bytes: `800 E0 A0-BF 80-BF`. */
export function parseRow(text: string): Row {
  const [, start = '', rest = ''] = /^([\dA-F]+) (.*)$/.exec(text) ?? [];
  const parts = parseParts(rest);
  const ranges = parts.flat();
  const value = (bytes: Uint8Array, offset: number): number => {
    let number = 0;
    ranges.forEach(([first, last], i) => {
      number = number * (last - first + 1) + (bytes[offset + i] as number) - first;
    });
    return Number.parseInt(start, 16) + number;
  };
  return { parts, ranges, value };
}

/** Creates a row whose code point consists of payload bits: six of each trail, and those of the lead. */
export function bitRow(text: string): Row {
  const ranges = parseParts(text).flat();
  const value = (bytes: Uint8Array, offset: number): number => {
    const lead = bytes[offset] as number;
    // Leads of seven and more bytes have no payload.
    let number = ranges.length > 6 ? 0 : lead & (0x7f >> ranges.length);
    for (let i = 1; i < ranges.length; i++) {
      number = number * 0x40 + ((bytes[offset + i] as number) & 0x3f);
    }
    return number;
  };
  return { parts: [ranges], ranges, value };
}

/** Counts the bytes from an offset that match the ranges, up to the first mismatch. */
export function countMatches(ranges: readonly Range[], bytes: Uint8Array, offset: number): number {
  let count = 0;
  for (const [first, last] of ranges) {
    const byte = bytes[offset + count];
    if (byte === undefined || byte < first || byte > last) break;
    count++;
  }
  return count;
}

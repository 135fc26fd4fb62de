/** Rows of byte ranges: what a reader accepts, and what it counts as one fault. */

export type Range = readonly [first: number, last: number];

export interface Row {
  /** The sequence in parts that stand alone when they are faulty; most rows have one. */
  readonly units: readonly (readonly Range[])[];
  readonly ranges: readonly Range[];
  /** Reads the number that a matching sequence spells. */
  readonly value: (bytes: Uint8Array, offset: number) => number;
}

const parseRange = (text: string): Range => {
  const [first = text, last = first] = text.split('-');
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
};

const parseUnits = (text: string): Range[][] =>
  text.split('+').map((unit) => unit.trim().split(/\s+/).map(parseRange));

/** Reads a row of a grammar: `800 E0 A0-BF 80-BF`, the first number of the range and the bytes. */
export function parseRow(text: string): Row {
  const [, start = '', rest = ''] = /^([\dA-F]+) (.*)$/.exec(text) ?? [];
  const units = parseUnits(rest);
  const ranges = units.flat();
  const value = (bytes: Uint8Array, offset: number): number => {
    let number = 0;
    ranges.forEach(([first, last], i) => {
      number = number * (last - first + 1) + (bytes[offset + i] as number) - first;
    });
    return Number.parseInt(start, 16) + number;
  };
  return { units, ranges, value };
}

/** Makes a row that is read by its bits: of the lead what follows the ones, of any other byte six bits. */
export function bitRow(text: string): Row {
  const ranges = parseUnits(text).flat();
  const value = (bytes: Uint8Array, offset: number): number => {
    const lead = bytes[offset] as number;
    // In leads of seven bytes and more no bit is left.
    let number = ranges.length > 6 ? 0 : lead & (0x7f >> ranges.length);
    for (let i = 1; i < ranges.length; i++) {
      number = number * 0x40 + ((bytes[offset + i] as number) & 0x3f);
    }
    return number;
  };
  return { units: [ranges], ranges, value };
}

/** Counts the bytes from an offset on that are in the ranges, up to the first that is not. */
export function countMatches(ranges: readonly Range[], bytes: Uint8Array, offset: number): number {
  let count = 0;
  for (const [first, last] of ranges) {
    const byte = bytes[offset + count];
    if (byte === undefined || byte < first || byte > last) break;
    count++;
  }
  return count;
}

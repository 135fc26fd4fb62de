/**
 * Formats offsets in ascending order, and consecutive ones as a range.
 *
 * @param offsets - Offsets in bytes, such as those of faults.
 * @returns A list such as `1 3-6`.
 * @example
 * ```ts
 * import { formatOffsets } from '@utf8/explain';
 *
 * formatOffsets([1, 3, 4, 5, 6]); // => '1 3-6'
 * ```
 */
export function formatOffsets(offsets: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const offset of offsets) {
    const range = ranges.at(-1);
    if (range && range[1] === offset - 1) range[1] = offset;
    else ranges.push([offset, offset]);
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(' ');
}

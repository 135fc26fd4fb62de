/** Rows, and their answers about bytes and code points: deliberately simple, only comparing and counting. */

/** Rows that are read, each of so many bytes: the length, eight first bytes, eight last bytes, the code point. */
export const ROW: usize = 24;
export const READ: usize = memory.data(1536);
/** Rows of units that are refused side by side. */
export const REFUSED: usize = memory.data(96);
/** Rows that are written. */
export const WRITTEN: usize = memory.data(1536);
export let readRows: usize = 0;
export let refusedRows: usize = 0;
let writtenRows: usize = 0;

export function setRows(read: usize, refused: usize, written: usize): void {
  readRows = READ + read * ROW;
  refusedRows = REFUSED + refused * ROW;
  writtenRows = WRITTEN + written * ROW;
}

/** Counts how many bytes from `p` on are as a row has them. */
export function countMatches(row: usize, p: usize, end: usize): usize {
  const length = <usize>load<u8>(row);
  let i: usize = 0;
  while (i < length && p + i < end) {
    const byte = load<u8>(p + i);
    if (byte < load<u8>(row + i, 1) || byte > load<u8>(row + i, 9)) break;
    i++;
  }
  return i;
}

/** The code point that a row's sequence spells, by mixed-radix counting. */
export function codePointOf(row: usize, p: usize): u32 {
  let codePoint = load<u32>(row, 20);
  let weight: u32 = 1;
  for (let i = <i32>load<u8>(row) - 1; i >= 0; i--) {
    const first = <u32>load<u8>(row + i, 1);
    codePoint += (<u32>load<u8>(p + i) - first) * weight;
    weight *= <u32>load<u8>(row + i, 9) - first + 1;
  }
  return codePoint;
}

export function writeUnits(codePoint: u32, o: usize): usize {
  if (codePoint < 0x10000) {
    store<u16>(o, codePoint);
    return o + 2;
  }
  store<u16>(o, 0xd800 + (codePoint - 0x10000) / 0x400);
  store<u16>(o, 0xdc00 + ((codePoint - 0x10000) % 0x400), 2);
  return o + 4;
}

/** Writes a code point by the row that contains it; returns 0 if there is none. */
export function writeBytes(codePoint: u32, o: usize): usize {
  for (let row = WRITTEN; row < writtenRows; row += ROW) {
    const size = <i32>load<u8>(row);
    let rest = codePoint - load<u32>(row, 20);
    let count: u32 = 1;
    for (let i = 0; i < size; i++) count *= <u32>load<u8>(row + i, 9) - load<u8>(row + i, 1) + 1;
    // Below its first code point it wraps around.
    if (rest >= count) continue;
    for (let i = size - 1; i >= 0; i--) {
      const first = load<u8>(row + i, 1);
      const width = <u32>load<u8>(row + i, 9) - first + 1;
      store<u8>(o + i, first + <u8>(rest % width));
      rest /= width;
    }
    return o + size;
  }
  return 0;
}

/**
 * Tells whether all bytes are ASCII, each the character of the same number. The margin after them is
 * overwritten.
 *
 * @param nulInTwo - True if U+0000 is C0 80, so that 00 is not ASCII.
 */
@inline export function isAscii(p: usize, n: usize, nulInTwo: bool): bool {
  const end = p + n;
  v128.store(end, i8x16.splat(0x20));
  for (; p < end; p += 16) {
    const v = v128.load(p);
    // 00 minus one has the upper bit set.
    if (i8x16.bitmask(nulInTwo ? v128.or(v, i8x16.sub(v, i8x16.splat(1))) : v)) return false;
  }
  return true;
}

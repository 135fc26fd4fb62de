/**
 * Tells whether bytes are ASCII throughout, each byte the character of the same number. What stands
 * in the margin after them is overwritten.
 *
 * @param nulInTwo - Whether U+0000 is C0 80, so that 00 is not plain.
 */
@inline export function isAscii(p: usize, n: usize, nulInTwo: bool): bool {
  const end = p + n;
  v128.store(end, i8x16.splat(0x20));
  for (; p < end; p += 16) {
    const v = v128.load(p);
    // Less by one, 00 has the upper bit that tells.
    if (i8x16.bitmask(nulInTwo ? v128.or(v, i8x16.sub(v, i8x16.splat(1))) : v)) return false;
  }
  return true;
}

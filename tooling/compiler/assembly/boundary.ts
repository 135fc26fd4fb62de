/** Finds the start of characters near a place. */

/**
 * Returns the address of the first byte of the character that contains the byte before `p`; at least `start`.
 */
@inline function leadBefore(start: usize, p: usize): usize {
  let lead = p - 1;
  while (lead > start && p - lead < 4 && (load<u8>(lead) & 0b1100_0000) == 0x80) lead--;
  return lead;
}

/**
 * Returns the number of bytes, of `n`, in whole characters: without a last character that continues after
 * them.
 *
 * @param looksAhead - True if the sequence after a high surrogate decides about it.
 */
export function wholeLength(p: usize, n: usize, looksAhead: bool): usize {
  if (n == 0) return 0;
  const end = p + n;
  let lead = leadBefore(p, end);
  const byte = load<u8>(lead);
  const due: usize = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  if (due > end - lead) {
    // If the low surrogate of a pair is cut, the high one before it is left out too.
    if (looksAhead && byte == 0xed && lead - p >= 3 && isHigh(lead - 3)) lead -= 3;
    return lead - p;
  }
  return looksAhead && end - lead == 3 && isHigh(lead) ? lead - p : n;
}

/**
 * Returns the last boundary before `p`, in bytes without an error before `p`. An error at `p` is whole from
 * there on.
 */
export function boundaryBefore(start: usize, p: usize, looksAhead: bool): usize {
  if (p == start) return p;
  let lead = leadBefore(start, p);
  if (looksAhead && lead - start >= 3 && isHigh(lead - 3)) lead -= 3;
  return lead;
}

/** Tells whether the two bytes at `p` begin a high surrogate. */
@inline function isHigh(p: usize): bool {
  return load<u8>(p) == 0xed && (load<u8>(p, 1) & 0b1111_0000) == 0xa0;
}

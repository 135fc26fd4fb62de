/** Where characters begin, next to a place. */

/** The first byte of the character that the byte before `p` belongs to; `start` at the least. */
@inline function leadBefore(start: usize, p: usize): usize {
  let lead = p - 1;
  while (lead > start && p - lead < 4 && (load<u8>(lead) & 0b1100_0000) == 0x80) lead--;
  return lead;
}

/**
 * Returns how many of `n` bytes are there whole: without a last character that goes on after them.
 *
 * @param looksAhead - Whether what follows a high surrogate decides about it.
 */
export function wholeLength(p: usize, n: usize, looksAhead: bool): usize {
  if (n == 0) return 0;
  const end = p + n;
  let lead = leadBefore(p, end);
  const byte = load<u8>(lead);
  const due: usize = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  if (due > end - lead) {
    // The low surrogate of a pair may be what is cut, and then the high one before it goes too.
    if (looksAhead && byte == 0xed && lead - p >= 3 && isHigh(lead - 3)) lead -= 3;
    return lead - p;
  }
  return looksAhead && end - lead == 3 && isHigh(lead) ? lead - p : n;
}

/**
 * A boundary in bytes without an error before `p`: the last one that lies before `p`, so that an error
 * at `p` is seen whole from there.
 */
export function boundaryBefore(start: usize, p: usize, looksAhead: bool): usize {
  if (p == start) return p;
  let lead = leadBefore(start, p);
  if (looksAhead && lead - start >= 3 && isHigh(lead - 3)) lead -= 3;
  return lead;
}

/** Whether the three bytes of a high surrogate may stand here. */
@inline function isHigh(p: usize): bool {
  return load<u8>(p) == 0xed && (load<u8>(p, 1) & 0b1111_0000) == 0xa0;
}

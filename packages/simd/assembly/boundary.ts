/** Where characters begin, next to a place. */

/** The first byte of the character that the byte before `p` belongs to; `start` at the least. */
@inline function leadBefore(start: usize, p: usize): usize {
  let lead = p - 1;
  while (lead > start && p - lead < 4 && (load<u8>(lead) & 0b1100_0000) == 0x80) lead--;
  return lead;
}

/**
 * How many of `n` bytes are there whole: without a last character that goes on behind them.
 *
 * @param paired - Whether a high half asks for its low half.
 */
export function wholeLength(p: usize, n: usize, paired: bool): usize {
  if (n == 0) return 0;
  const end = p + n;
  let lead = leadBefore(p, end);
  const byte = load<u8>(lead);
  const due: usize = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  if (due > end - lead) {
    // The low half of a pair may be what is cut, and then the high half before it goes too.
    if (paired && byte == 0xed && lead - p >= 3 && isHigh(lead - 3)) lead -= 3;
    return lead - p;
  }
  return paired && end - lead == 3 && isHigh(lead) ? lead - p : n;
}

/**
 * A boundary in bytes without an error before `p`: the last one that lies before `p`, so that an error
 * at `p` is seen whole from there.
 */
export function boundaryBefore(start: usize, p: usize, paired: bool): usize {
  if (p == start) return p;
  let lead = leadBefore(start, p);
  if (paired && lead - start >= 3 && isHigh(lead - 3)) lead -= 3;
  return lead;
}

/** Whether the three bytes of a high half may stand here. */
@inline function isHigh(p: usize): bool {
  return load<u8>(p) == 0xed && (load<u8>(p, 1) & 0b1111_0000) == 0xa0;
}

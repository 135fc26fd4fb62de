import type { Grammar } from '@utf8/core';

/**
 * Derives the length of the characters that begin with each byte, if both encodings encode them the same
 * way and any trail bytes complete them; 0 for other bytes. A scan steps over such characters.
 *
 * U+0000 and surrogates have no step, since policies apply to them.
 */
export function deriveSteps(from: Grammar, to: Grammar): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, lead) => {
    const [source, target] = [findSpan(from, lead), findSpan(to, lead)];
    const isShared = source?.first === target?.first && source?.length === target?.length;
    return isShared && target?.writes ? target.length : 0;
  });
}

/** Returns the first of the characters that begin with a byte, if one row has them all. */
function findSpan({ rows }: Grammar, lead: number) {
  const [row, ...others] = rows.filter(({ units }) => {
    const range = units[0]?.[0];
    return range && range.first <= lead && lead <= range.last;
  });
  if (!row || others.length > 0 || row.units.length > 1) return undefined;
  const [{ first: firstLead } = { first: 0 }, ...trails] = row.units.flat();
  if (trails.some(({ first, last }) => first !== 0x80 || last !== 0xbf)) return undefined;
  const size = 64 ** trails.length;
  const first = row.first + (lead - firstLead) * size;
  const hasSurrogates = first <= 0xdfff && first + size > 0xd800;
  if (first === 0 || hasSurrogates) return undefined;
  return { first, length: trails.length + 1, writes: row.writes };
}

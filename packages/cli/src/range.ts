/** `--range A-B`: the characters that begin in some of the bytes of a file. */
import type { Codec } from '@utf8/core';
import { UsageFailure } from './failure.js';
import type { Source } from './source.js';

/** Bytes `from` up to, and not including, `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The whole of an input. */
export const WHOLE: Range = { from: 0, to: Number.POSITIVE_INFINITY };

/**
 * Reads `A-B` or `A-`.
 *
 * @throws {@link UsageFailure} where it is something else.
 */
export function parseRange(text: string): Range {
  const [, first, last] = /^(\d+)-(\d*)$/.exec(text) ?? [];
  const from = Number(first);
  const to = last ? Number(last) : WHOLE.to;
  if (first === undefined || !Number.isSafeInteger(from) || (last && !Number.isSafeInteger(to))) {
    throw new UsageFailure(
      `--range takes two byte offsets, as in 0-1048576 or 1048576-, not "${text}"`,
    );
  }
  if (from > to) throw new UsageFailure(`--range ends before it begins: ${text}`);
  return { from, to };
}

/**
 * Moves both ends of a range forward to character boundaries, so that ranges that meet share no
 * character and lose none.
 */
export async function alignRange(source: Source, codec: Codec, range: Range): Promise<Range> {
  return {
    from: await findBoundary(source, codec, range.from),
    to: await findBoundary(source, codec, range.to),
  };
}

/** How much to look at on either side; boundaries depend on a few characters of 6 bytes at most. */
const REACH = 64;

/** The least character boundary of a file that is not below an offset. */
async function findBoundary(source: Source, codec: Codec, offset: number): Promise<number> {
  const { size = 0 } = source;
  if (offset === 0 || offset === WHOLE.to) return offset;
  if (offset >= size) return size;
  const start = Math.max(0, offset - REACH);
  const window = new Uint8Array(offset + REACH - start);
  let length = 0;
  for (let count = -1; count !== 0 && length < window.length; length += count) {
    count = await source.read(window.subarray(length), start + length);
  }
  return start + codec.ceilBoundary(window.subarray(0, length), offset - start);
}

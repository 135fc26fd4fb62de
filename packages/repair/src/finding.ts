import type { FaultReason } from '@utf8/core';
import type { Kind } from './kind.js';

/**
 * A sequence that a repair changes or refuses: a character, such as a pair, or a maximal subpart of malformed
 * bytes.
 */
export interface Finding {
  /** In bytes from the start of the text. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  /** Kind of the sequence. */
  readonly kind: Kind;
  /**
   * Reason that `from` refuses it, or that `to` cannot encode it (`too-large`); undefined if it is
   * well-formed and only encoded differently.
   */
  readonly reason: FaultReason | undefined;
  /**
   * Replacement, encoded and quoted; undefined if a policy refuses the sequence. Findings share this memory: do
   * not write to it.
   */
  readonly becomes: Uint8Array | undefined;
  /** True for a refused `inner-length` that was wrong before the repair, too. */
  readonly isAlreadyWrong?: boolean | undefined;
  /**
   * For mojibake, the encodings in which UTF-8 was read, the last one first: one for each layer. Parts of a
   * sequence may have had fewer layers.
   */
  readonly through?: readonly string[] | undefined;
}

/** The result of a repair. */
export interface Repair {
  /** `rejected` if a policy refuses a finding. */
  readonly status: 'unchanged' | 'changed' | 'rejected';
  /** The input itself if `unchanged`. If `rejected`, only the refused parts are left unchanged. */
  readonly bytes: Uint8Array;
  /** In order; none if `unchanged`. */
  readonly findings: readonly Finding[];
}

/** Tells whether a repair has removed something. */
export const hasRemoved = ({ findings }: Repair): boolean =>
  findings.some(({ becomes }) => becomes?.length === 0);

/** Copies a text, and replaces the findings in it, except refused ones. */
export function applyFindings(
  text: Uint8Array,
  findings: readonly Pick<Finding, 'offset' | 'length' | 'becomes'>[],
): Uint8Array {
  let size = text.length;
  for (const { length, becomes } of findings) if (becomes) size += becomes.length - length;
  const result = new Uint8Array(size);
  let from = 0;
  let to = 0;
  const copy = (source: Uint8Array, start: number, end: number): void => {
    // Making a view costs more than copying 32 bytes.
    if (end - start > 32) result.set(source.subarray(start, end), to);
    else for (let i = start; i < end; i++) result[to + i - start] = source[i] as number;
    to += end - start;
  };
  for (const { offset, length, becomes } of findings) {
    if (!becomes) continue;
    copy(text, from, offset);
    copy(becomes, 0, becomes.length);
    from = offset + length;
  }
  copy(text, from, text.length);
  return result;
}

/**
 * Makes one list of findings in a text, and of those in the text in which these are replaced. Findings
 * that overlap become one, of the kind of the second ones.
 *
 * @param result - The text in which the first findings are replaced.
 */
export function composeFindings(
  first: readonly Finding[],
  second: readonly Finding[],
  result: Uint8Array,
): Finding[] {
  const composed: Finding[] = [];
  /** Index in the result minus index in the text, before the next of the first findings. */
  let shift = 0;
  let [i, j] = [0, 0];
  for (;;) {
    const [one, other] = [first[i], second[j]];
    if (!one && !other) return composed;
    const isFirst = one && (!other || one.offset + shift <= other.offset);
    const start = isFirst ? one.offset + shift : (other as Finding).offset;
    const offset = start - shift;
    const [i0, j0] = [i, j];
    let end = start;
    for (let grows = true; grows; ) {
      grows = false;
      const [one, other] = [first[i], second[j]];
      const isStart = i === i0 && j === j0;
      if (one && (isStart ? isFirst : one.offset + shift < end)) {
        const size = one.becomes?.length ?? one.length;
        end = Math.max(end, one.offset + shift + size);
        shift += size - one.length;
        i++;
        grows = true;
      } else if (other && (isStart || other.offset < end)) {
        end = Math.max(end, other.offset + other.length);
        j++;
        grows = true;
      }
    }
    if (j === j0) {
      composed.push(first[i0] as Finding);
      continue;
    }
    const inner = second.slice(j0, j).map((each) => ({ ...each, offset: each.offset - start }));
    const becomes = applyFindings(result.subarray(start, end), inner);
    const last = second[j0] as Finding;
    const composite = { ...last, offset, length: end - shift - offset, becomes };
    composed.push(composite);
    if (!last.through) continue;
    // Parts of a run may have had more layers than others.
    const outer = first
      .slice(i0, i)
      .reduce<readonly string[]>(
        (longest, { through = [] }) => (through.length > longest.length ? through : longest),
        [],
      );
    composed[composed.length - 1] = { ...composite, through: [...outer, ...last.through] };
  }
}

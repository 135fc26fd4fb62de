/** Sequences as rows of a table: neighbouring characters of ASCII fold into one row. */
import type { Explanation } from '@utf8/explain';

/** Least number of characters that fold. */
const LEAST = 4;

/** A run of ASCII, or any other sequence. */
export interface Row {
  readonly offset: number;
  /** In hexadecimal digits; of a run, the first and the last. */
  readonly bytes: string;
  /** The characters of a run; undefined for a single sequence. */
  readonly text: string | undefined;
  readonly sequence: Explanation;
}

/** Folds runs of ASCII without controls. */
export function fold(sequences: readonly Explanation[]): Row[] {
  const rows: Row[] = [];
  for (let i = 0; i < sequences.length; ) {
    let end = i;
    while (isPlain(sequences[end])) end++;
    const run = sequences.slice(i, Math.max(end, i + 1));
    const [first, last] = [run[0] as Explanation, run.at(-1) as Explanation];
    if (run.length >= LEAST) {
      rows.push({
        offset: first.offset,
        bytes: `${first.bytes} … ${last.bytes}`,
        text: run.map(({ codePoint }) => String.fromCodePoint(codePoint ?? 0)).join(''),
        sequence: first,
      });
      i += run.length;
    } else {
      const { offset, bytes } = first;
      rows.push({ offset, bytes, text: undefined, sequence: first });
      i++;
    }
  }
  return rows;
}

const isPlain = (sequence: Explanation | undefined): boolean =>
  sequence?.kind === 'ascii' && (sequence.codePoint ?? 0) >= 0x20 && sequence.codePoint !== 0x7f;

/**
 * Names the rule of a sequence. For a lead of RFC 2279, it also gives the reason of UTF-8: to one, more bytes are missing,
 * and to the other, no byte can follow.
 */
export function describeRule({ rule, kind, variants }: Explanation): string {
  const [first] = variants['utf-8'].faults;
  return kind === 'truncated' && first && first.reason !== 'truncated'
    ? `${first.reason} in UTF-8, ${rule} in RFC 2279`
    : rule;
}

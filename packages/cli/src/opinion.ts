/** What the variants make of a sequence. The codecs are asked; nothing is known here. */

import type { Codec, Fault } from '@utf8/core';
import { codecFor, type Label, labels } from '@utf8/detect';
import type { Sequence } from './sequence.js';

/** What one variant makes of a sequence. */
export interface Opinion {
  readonly label: Label;
  /** With offsets from the start of the input; none where the sequence is well-formed. */
  readonly faults: readonly Pick<Fault, 'offset' | 'length' | 'reason'>[];
}

const codecs: readonly (readonly [Label, Codec])[] = labels.map((label) => [
  label,
  codecFor(label),
]);

const NONE: Opinion['faults'] = [];

/**
 * Asks every variant about a sequence by itself. That is the same as within the input: in every variant
 * a fault ends where a sequence ends, at the latest.
 */
export function ask({ bytes, offset }: Sequence): readonly Opinion[] {
  return codecs.map(([label, { isValid, faults }]) => ({
    label,
    faults: isValid(bytes)
      ? NONE
      : Array.from(faults(bytes), (fault) => ({
          offset: offset + fault.offset,
          length: fault.length,
          reason: fault.reason,
        })),
  }));
}

/** Who takes a sequence. */
export const takers = (opinions: readonly Opinion[]): readonly Label[] =>
  opinions.filter(({ faults }) => faults.length === 0).map(({ label }) => label);

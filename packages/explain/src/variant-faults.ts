/** Finds the faults of a sequence in each variant. */
import type { Fault } from '@utf8/core';
import type { Label } from '@utf8/detect';
import { variants } from '@utf8/detect/internal';
import type { Sequence } from './sequence.js';

/** The faults of a sequence in one variant. */
export interface VariantFaults {
  /** The label of the variant. */
  readonly label: Label;
  /** The faults, with offsets in bytes from the start of the input; empty if the sequence is well-formed. */
  readonly faults: readonly Pick<Fault, 'offset' | 'length' | 'reason'>[];
}

/** Shared by all sequences that are well-formed. */
const NO_FAULTS: VariantFaults['faults'] = [];

/** Lists the faults of a sequence by variant. No fault extends beyond a sequence, so its context is not needed. */
export function listFaults({ bytes, offset: start }: Sequence): readonly VariantFaults[] {
  return variants.map(({ label, isValid, faults: findFaults }) => {
    if (isValid(bytes)) return { label, faults: NO_FAULTS };
    const faults = Array.from(findFaults(bytes), ({ offset, length, reason }) => {
      return { offset: start + offset, length, reason };
    });
    return { label, faults };
  });
}

/** How each variant reads a sequence. */
import type { Fault } from '@utf8/core';
import { codecFor, type Label, labels, type Sequence } from '@utf8/detect';

/** How one variant reads a sequence. */
export interface Opinion {
  /** The label of the variant. */
  readonly label: Label;
  /** Its faults, with offsets in bytes from the start of the input; empty if the sequence is well-formed. */
  readonly faults: readonly Pick<Fault, 'offset' | 'length' | 'reason'>[];
}

const codecs = labels.map((label) => ({ label, codec: codecFor(label) }));

const NONE: Opinion['faults'] = [];

/** Asks every variant. Within the input they would say the same, since no fault outlasts a sequence. */
export function ask({ bytes, offset: start }: Sequence): readonly Opinion[] {
  return codecs.map(({ label, codec }) => {
    if (codec.isValid(bytes)) return { label, faults: NONE };
    const faults = Array.from(codec.faults(bytes), ({ offset, length, reason }) => {
      return { offset: start + offset, length, reason };
    });
    return { label, faults };
  });
}

/** The variants that accept a sequence. */
export const listAccepting = (opinions: readonly Opinion[]): readonly Label[] =>
  opinions.filter(({ faults }) => faults.length === 0).map(({ label }) => label);

import type { Fault } from '@utf8/core';
import { codecFor, type Label, labels } from './label.js';

/** One variant, as far as detection asks it. */
export interface Variant {
  readonly label: Label;
  readonly name: string;
  readonly isValid: (bytes: Uint8Array) => boolean;
  readonly findFault: (bytes: Uint8Array) => Fault | undefined;
}

let known: readonly Variant[] | undefined;

/** Returns the variants in order of preference: of two that accept the bytes, the first wins. */
export function variants(): readonly Variant[] {
  // Not before it is asked for: codecs derive their tables at their first use.
  known ??= labels.map((label) => {
    const { name, isValid, findFault } = codecFor(label);
    return { label, name, isValid, findFault };
  });
  return known;
}

/** What stands in the result where the source was malformed, and how often. */
import type { Codec, Fault } from '@utf8/core';
import type { Block } from './blocks.js';
import { findReason, formatBytes } from './finding.js';
import { Tally } from './tally.js';

/** A policy of `--errors` that goes on at a fault. */
export type Mending = 'replace' | 'ignore' | 'backslashreplace';

/** What is said about each policy afterwards, and what it puts in the place of faulty bytes. */
const replacements: Record<Mending, { done: string; text(bytes: Uint8Array): string }> = {
  replace: { done: 'replaced', text: () => '\uFFFD' },
  ignore: { done: 'dropped', text: () => '' },
  backslashreplace: {
    done: 'escaped',
    text: (bytes) => `\\x${formatBytes(bytes).replaceAll(' ', '\\x')}`,
  },
};

/** All that `--errors` takes. */
export const policies: readonly string[] = ['strict', ...Object.keys(replacements)];

/** Mends faults and counts them. */
export class Mender {
  readonly faults: Tally = new Tally();
  /** Of the block at hand, for each fault: offset and length in the source, length in the result. */
  spans: number[] = [];
  readonly #mending: Mending;
  readonly #from: Codec;
  readonly #to: Codec;
  readonly #keepsSpans: boolean;

  /** @param keepsSpans - Whether {@link spans} is wanted. */
  constructor(mending: Mending, from: Codec, to: Codec, keepsSpans: boolean) {
    this.#mending = mending;
    this.#from = from;
    this.#to = to;
    this.#keepsSpans = keepsSpans;
  }

  /** What is done about faults, as a participle. */
  get done(): string {
    return replacements[this.#mending].done;
  }

  /** The policy for one block, as `transcode` takes it. */
  policyFor(block: Block): (fault: Fault, bytes: Uint8Array) => string {
    this.spans = [];
    return (fault, bytes) => {
      this.faults.add(findReason(this.#from, block, fault));
      const text = replacements[this.#mending].text(bytes);
      if (this.#keepsSpans) this.spans.push(fault.offset, fault.length, this.#to.byteLength(text));
      return text;
    };
  }
}

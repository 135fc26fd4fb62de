/** What stands in the result where the source was malformed, and how often. */
import { type Codec, type Fault, formatBytes } from '@utf8/core';
import type { Block } from './blocks.js';
import { findReason } from './finding.js';
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

/** What a policy puts in the place of faulty bytes: U+FFFD, or ASCII. */
export const substitute = (mending: Mending, bytes: Uint8Array): string =>
  replacements[mending].text(bytes);

/** All that `--errors` takes. */
export const policies: readonly string[] = ['strict', ...Object.keys(replacements)];

/** Mends faults and counts them. */
export class Mender {
  readonly faults: Tally = new Tally();
  readonly #mending: Mending;
  readonly #from: Codec;
  /** The length of U+FFFD in the result, in bytes. */
  readonly #replacementLength: number;
  readonly #keepsSpans: boolean;
  /** Used again for each block: new arrays would take more memory than everything else together. */
  #spans = new Uint32Array(3 * 1024);
  #used = 0;

  /** @param keepsSpans - Whether {@link spans} is wanted. */
  constructor(mending: Mending, from: Codec, to: Codec, keepsSpans: boolean) {
    this.#mending = mending;
    this.#from = from;
    this.#replacementLength = to.byteLength('\uFFFD');
    this.#keepsSpans = keepsSpans;
  }

  /** Of the block at hand, for each fault: offset and length in the source, length in the result. */
  get spans(): Uint32Array {
    return this.#spans.subarray(0, this.#used);
  }

  /** What is done about faults, as a participle. */
  get done(): string {
    return replacements[this.#mending].done;
  }

  /** The policy for one block, as `transcode` takes it. */
  policyFor(block: Block): (fault: Fault, bytes: Uint8Array) => string {
    this.#used = 0;
    return (fault, bytes) => {
      this.faults.add(findReason(this.#from, block, fault));
      const text = substitute(this.#mending, bytes);
      if (this.#keepsSpans) this.#keep(fault.offset, fault.length, this.#measure(text));
      return text;
    };
  }

  /** The length of a text in the result, in bytes. What is not U+FFFD is ASCII. */
  #measure(text: string): number {
    return text === '\uFFFD' ? this.#replacementLength : text.length;
  }

  #keep(offset: number, length: number, lengthInResult: number): void {
    if (this.#used === this.#spans.length) {
      const spans = new Uint32Array(2 * this.#used);
      spans.set(this.#spans);
      this.#spans = spans;
    }
    this.#spans[this.#used++] = offset;
    this.#spans[this.#used++] = length;
    this.#spans[this.#used++] = lengthInResult;
  }
}

import { type Bytes, toUint8Array } from '@utf8/core';
import { Form, variants, WINDOW } from './form.js';
import type { Counts, Evidence, Finding, Report } from './report.js';
import { Survey } from './survey.js';
import { judge, warn } from './verdict.js';

/**
 * Finds out, chunk by chunk, which variants the bytes of a stream are well-formed in. Memory stays
 * constant, and the report is the same wherever the stream is cut.
 *
 * @example
 * ```ts
 * import { Detector } from '@utf8/detect';
 *
 * const detector = new Detector();
 * detector.push(Uint8Array.of(0x41, 0xed, 0xa0, 0xbd));
 * detector.push(Uint8Array.of(0xed, 0xb8, 0x80));
 * const report = detector.finish();
 * report.verdict.label; // => 'cesu-8'
 * report.counts.pairs; // => 1
 * report.firsts.pairs; // => 1
 * ```
 * @see {@link detect} for bytes in one piece
 */
export class Detector {
  #survey = new Survey();
  /** What is not settled before more bytes come, with zeros behind it, which are no trail bytes. */
  readonly #seam = new Uint8Array(2 * WINDOW);
  #pending = 0;
  /** Where in the stream the pending bytes begin. */
  #offset = 0;
  readonly #head = new Uint8Array(4);

  /**
   * Takes the next chunk, of any length. Nothing refers to its memory afterwards.
   *
   * @param chunk - The next bytes.
   * @throws TypeError where the chunk is no {@link Bytes}.
   */
  push(chunk: Bytes): void {
    const bytes = toUint8Array(chunk);
    const read = this.#offset + this.#pending;
    if (read < this.#head.length) {
      this.#head.set(bytes.subarray(0, this.#head.length - read), read);
    }
    let from = 0;
    if (this.#pending > 0) {
      const pending = this.#pending;
      const joined = Math.min(this.#seam.length, pending + bytes.length);
      this.#seam.set(bytes.subarray(0, joined - pending), pending);
      const limit = Math.min(pending, joined - WINDOW + 1);
      const settled = this.#survey.read(this.#seam, 0, limit, joined, this.#offset);
      if (settled < pending) {
        // The chunk was too short to settle what was pending, so the seam has all of it.
        this.#keep(this.#seam.subarray(settled, joined), this.#offset + settled);
        return;
      }
      from = settled - pending;
    }
    const base = this.#offset + this.#pending;
    const settled = this.#survey.read(bytes, from, bytes.length - WINDOW + 1, bytes.length, base);
    this.#keep(bytes.subarray(settled), base + settled);
  }

  /**
   * Ends the stream. The detector can then be used for another.
   *
   * @returns What the bytes are, in each variant and by count.
   */
  finish(): Report {
    const pending = this.#pending;
    const survey = this.#survey;
    survey.read(this.#seam, 0, pending, pending, this.#offset);
    const bytes = this.#offset + pending;
    const report = describe(survey, this.#head.subarray(0, bytes), bytes);
    this.#survey = new Survey();
    this.#keep(this.#seam.subarray(0, 0), 0);
    return report;
  }

  #keep(rest: Uint8Array, offset: number): void {
    this.#seam.set(rest);
    this.#seam.fill(0, rest.length);
    this.#pending = rest.length;
    this.#offset = offset;
  }
}

/**
 * Finds out which variants bytes are well-formed in, and what speaks for each.
 *
 * @param bytes - The bytes; {@link Detector} takes a stream of them.
 * @returns What the bytes are, in each variant and by count.
 * @throws TypeError where the argument is no {@link Bytes}.
 * @example
 * ```ts
 * import { detect } from '@utf8/detect';
 *
 * const report = detect(Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80));
 * report.verdict.label; // => 'cesu-8'
 * report.variants.filter(({ isWellFormed }) => isWellFormed).map(({ label }) => label);
 * // => ['cesu-8', 'cesu-8-lenient', 'cesu-8+utf-8', 'mutf-8', 'mutf-8-lenient']
 * ```
 * @see Unicode 16.0, section 3.9, Table 3-7; UTR #26, section 2; JVMS, section 4.4.7; RFC 2279, section 2
 */
export function detect(bytes: Bytes): Report {
  const detector = new Detector();
  detector.push(bytes);
  return detector.finish();
}

/** Which forms each kind of evidence is the sum of. */
const evidence: Readonly<Record<Evidence, readonly Form[]>> = {
  fourByte: [Form.fourByte],
  pairs: [Form.pair],
  loneHalves: [Form.loneHalf],
  modifiedNul: [Form.modifiedNul],
  rawNul: [Form.rawNul],
  overlongs: [Form.overlong2, Form.overlong3, Form.overlong4],
  beyondUnicode: [Form.beyondUnicode],
  fiveByte: [Form.fiveByte],
  sixByte: [Form.sixByte],
  malformed: [Form.malformed],
};

function describe(survey: Survey, head: Uint8Array, bytes: number): Report {
  const kinds = Object.entries(evidence) as [Evidence, readonly Form[]][];
  const sums = kinds.map(([kind, forms]) => [kind, sum(forms.map((form) => survey.counts[form]))]);
  const offsets = kinds.map(([kind, forms]): [Evidence, number[]] => [
    kind,
    forms.map((form) => survey.firsts[form] as number).filter((offset) => offset >= 0),
  ]);
  const counts: Counts = {
    twoByte: survey.twoByte,
    threeByte: survey.threeByte,
    ...(Object.fromEntries(sums) as Record<Evidence, number>),
  };
  const findings = variants().map(({ label, name }, number): Finding => {
    const fault = survey.faults[number];
    return { label, name, isWellFormed: fault === undefined, fault };
  });
  const isAscii = sum(Object.values(counts)) === counts.rawNul;
  const hasBom = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  const refusals = variants().map(({ refuses }) =>
    sum(refuses.map((isRefused, form) => (isRefused ? survey.counts[form] : 0))),
  );
  return {
    bytes,
    isAscii,
    hasBom,
    counts,
    firsts: Object.fromEntries(
      offsets.filter(([, at]) => at.length > 0).map(([kind, at]) => [kind, Math.min(...at)]),
    ),
    unassigned: survey.unassigned,
    variants: findings,
    verdict: judge({ bytes, isAscii, hasBom, counts, findings, refusals, head }),
    warnings: warn({ bytes, counts, unassigned: survey.unassigned, oddNul: survey.oddNul }),
  };
}

const sum = (numbers: readonly (number | undefined)[]): number =>
  numbers.reduce<number>((total, number) => total + (number ?? 0), 0);

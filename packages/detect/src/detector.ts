import { type Bytes, toUint8Array } from '@utf8/core';
import { CLASS_COUNT, classKind, sequenceKinds } from './classify.js';
import { variants } from './generated/variants.js';
import type { Evidence, Finding, Report } from './report.js';
import { Survey, WINDOW } from './survey.js';
import { decideVerdict, listWarnings } from './verdict.js';

/**
 * Finds the variants in which the bytes of a stream are well-formed. Memory is constant, and the report
 * does not depend on the sizes of the chunks.
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
  /** Bytes whose sequences depend on later bytes, followed by zeros, which are not trail bytes. */
  readonly #seam = new Uint8Array(2 * WINDOW);
  #pending = 0;
  /** Offset of the pending bytes in the stream. */
  #offset = 0;
  readonly #head = new Uint8Array(4);

  /**
   * Reads the next chunk, of any length, and keeps no reference to its memory.
   *
   * @param chunk - The next bytes.
   * @throws TypeError if the chunk is neither a buffer nor a view of one.
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
        // The chunk was too short to decide the pending sequences, and fits into the seam.
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
   * Ends the stream. The detector can then read another one.
   *
   * @returns The verdict, the first fault in each variant, and counts.
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
 * Finds the variants in which bytes are well-formed, and the evidence for each.
 *
 * @param bytes - The input; {@link Detector} reads a stream.
 * @returns The verdict, the first fault in each variant, and counts.
 * @throws TypeError if the argument is neither a buffer nor a view of one.
 * @example
 * ```ts
 * import { detect } from '@utf8/detect';
 *
 * const report = detect(Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80));
 * report.verdict.label; // => 'cesu-8'
 * report.variants.filter(({ isWellFormed }) => !isWellFormed).map(({ label }) => label);
 * // => ['utf-8', 'wtf-8', 'rfc2279', 'utf8mb3']
 * ```
 * @see Unicode 16.0, section 3.9, Table 3-7; UTR #26, section 2; JVMS, section 4.4.7; RFC 2279, section 2
 */
export function detect(bytes: Bytes): Report {
  const detector = new Detector();
  detector.push(bytes);
  return detector.finish();
}

/** The evidence that each kind of sequence counts as. */
const evidence: Readonly<Partial<Record<(typeof sequenceKinds)[number], Evidence>>> = {
  fourByte: 'fourByte',
  pair: 'pairs',
  highSurrogate: 'loneSurrogates',
  lowSurrogate: 'loneSurrogates',
  modifiedNul: 'modifiedNul',
  nul: 'rawNul',
  overlong: 'overlongs',
  beyondUnicode: 'beyondUnicode',
  fiveByte: 'fiveByte',
  sixByte: 'sixByte',
  truncated: 'malformed',
  unexpectedContinuation: 'malformed',
  invalidLead: 'malformed',
};

const evidenceByKind = sequenceKinds.map((kind) => evidence[kind]);

const zeros = Object.fromEntries(Object.values(evidence).map((name) => [name, 0])) as Readonly<
  Record<Evidence, number>
>;

function describe(survey: Survey, head: Uint8Array, bytes: number): Report {
  const { twoByte, threeByte, oddNul, unassigned } = survey;
  const counts = { twoByte, threeByte, ...zeros };
  const firsts: Partial<Record<Evidence, number>> = {};
  for (let each = 0; each < CLASS_COUNT; each++) {
    const count = survey.counts[each] as number;
    const name = evidenceByKind[classKind(each)];
    if (count === 0 || !name) continue;
    const first = survey.firsts[each] as number;
    counts[name] += count;
    firsts[name] = Math.min(firsts[name] ?? first, first);
  }
  const findings = variants.map(({ label, name }, i): Finding => {
    const fault = survey.faults[i];
    return { label, name, isWellFormed: fault === undefined, fault };
  });
  const isAscii = sum(Object.values(counts)) === counts.rawNul;
  const hasBom = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  const refusals = survey.refused.map((classes) =>
    sum(classes.map((each) => survey.counts[each] as number)),
  );
  return {
    bytes,
    isAscii,
    hasBom,
    counts,
    firsts,
    unassigned,
    variants: findings,
    verdict: decideVerdict({ bytes, isAscii, hasBom, counts, findings, refusals, head }),
    warnings: listWarnings({ bytes, counts, unassigned, oddNul }),
  };
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);

/**
 * All short texts of some parts. A digest shows every change of what is found: there is one for each first part, with
 * how many texts end how.
 */
import { createHash } from 'node:crypto';
import { it } from 'vitest';
import type { Repair } from '../src/index.js';

export const PAIR = '\xed\xa0\xbd\xed\xb8\x80';
export const HIGH = '\xed\xa0\xbd';
export const LOW = '\xed\xb8\x80';
export const FOUR = '\xf0\x9f\x98\x80';
export const NUL = '\xc0\x80';

export const latin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
export const show = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** The numbers of parts that texts have. */
export type Lengths = readonly [least: number, most: number];

/** Yields all texts of some lengths, which begin with a part. */
export function* combine(
  first: string,
  parts: readonly string[],
  [least, most]: Lengths,
): Generator<string> {
  if (least <= 1) yield first;
  if (most <= 1) return;
  for (const part of parts) {
    for (const rest of combine(part, parts, [least - 1, most - 1])) yield first + rest;
  }
}

/** Registers a test of texts of up to so many parts, and a slow one of those that have as many. */
export function itOfUpTo(most: number, title: string, test: (lengths: Lengths) => void): void {
  it(`${title}, in less than ${most} parts`, () => test([1, most - 1]));
  it(`${title}, in ${most} parts`, { tags: ['slow'] }, () => test([most, most]));
}

export const describeRepair = ({ status, bytes, findings }: Repair): string =>
  `${status} ${show(bytes)} ${findings
    .map(({ offset, length, kind, reason, becomes }) =>
      [offset, length, kind, reason, becomes && show(becomes)].join(),
    )
    .join(';')}\n`;

/** Repairs all texts of these parts; returns a line for each first part. */
export function survey(
  parts: readonly string[],
  lengths: Lengths,
  repair: (text: string) => readonly Repair[],
): Record<string, string> {
  const lines: Record<string, string> = {};
  for (const first of parts) {
    const hash = createHash('sha256');
    const counts = { unchanged: 0, changed: 0, rejected: 0 };
    for (const text of combine(first, parts, lengths)) {
      for (const found of repair(text)) {
        counts[found.status]++;
        hash.update(describeRepair(found), 'latin1');
      }
    }
    const digest = hash.digest('hex').slice(0, 12);
    lines[JSON.stringify(first)] = `${Object.values(counts).join(' ')} ${digest}`;
  }
  return lines;
}

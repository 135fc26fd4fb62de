/** Number of U+FFFD that readers write for malformed bytes, by practice. */
import type { Variant } from '@utf8/vectors';
import { refusal } from '../../../../packages/vectors/src/probe/mode.js';
import { Model } from '../../../../packages/vectors/src/probe/model.js';
import {
  countings,
  type Practice,
  practices,
} from '../../../../packages/vectors/src/probe/practice.js';

/** The practice of a reader, and its result for an input. */
export interface PracticeCount {
  readonly practice: Practice;
  readonly words: string;
  readonly count: number;
}

const models = new Map<string, Model>();

/**
 * Counts the U+FFFD for malformed bytes.
 *
 * @returns How many a reader of the variant writes that follows the practice.
 */
export function countReplacements(variant: Variant, practice: Practice, bytes: Uint8Array): number {
  const key = `${variant} ${practice}`;
  const model = models.get(key) ?? new Model({ variant, practice, quirks: [], mode: refusal });
  models.set(key, model);
  const { per } = countings[practice];
  let count = 0;
  let isInFault = false;
  for (const { length, value } of model.readPieces(bytes)) {
    if (value === undefined) {
      if (per === 'byte') count += length;
      else if (per === 'fault' || !isInFault) count++;
    } else if (value > 0x10ffff) count++;
    isInFault = value === undefined;
  }
  return count;
}

/** Counts them for each practice, in readers of UTF-8. */
export const countByPractice = (bytes: Uint8Array): PracticeCount[] =>
  practices.map((practice) => ({
    practice,
    words: countings[practice].words,
    count: countReplacements('utf-8', practice, bytes),
  }));

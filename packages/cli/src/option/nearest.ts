import { findSimilarWord } from '@utf8/detect/internal';
import type { Guess } from './usage-error.js';

/** Guesses by the fewest characters to insert, delete or replace. */
export const guess: Guess = (word, words, prefix = '') => {
  const near = findSimilarWord(word, words);
  return near === undefined ? '' : ` (did you mean ${prefix}${near}?)`;
};

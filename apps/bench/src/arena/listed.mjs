/**
 * Data about each codec for the bench, from the list of codecs. The bundle for other runtimes contains the
 * data instead of this module.
 */
import { readFileSync } from 'node:fs';

/**
 * @typedef {object} Listed
 * @property {string} name - What comes after `@utf8/`.
 * @property {string} label
 * @property {import('./reference.mjs').Spelling} spelling
 * @property {boolean} isBmpOnly - Whether it has nothing above U+FFFF.
 */

/** @type {string[]} */
const specifiers = JSON.parse(
  readFileSync(new URL('../../../../packages/variants.json', import.meta.url), 'utf8'),
);

/** The row by which a code point is written. @param {import('@utf8/core').Grammar} grammar @param {number} codePoint */
const rowOf = ({ rows }, codePoint) =>
  rows.find(({ first, last, writes }) => writes && first <= codePoint && codePoint <= last);

/** Describes a grammar for the corpora. @param {import('@utf8/core').Grammar} grammar @returns {Listed['spelling']} */
const describe = (grammar) => ({
  nul: rowOf(grammar, 0)?.units.flat().length ?? 1,
  // Code units have no row of their own for what lies above them.
  split:
    grammar.domain === 'code units' || rowOf(grammar, 0x10000)?.units.length === 2
      ? 'always'
      : 'never',
});

/** @type {readonly Listed[]} */
export const listed = await Promise.all(
  specifiers.map(async (specifier) => {
    const { labels, grammar } = await import(`${specifier}/lite`);
    return {
      name: specifier.slice('@utf8/'.length),
      label: labels[0] ?? '',
      spelling: describe(grammar),
      isBmpOnly: grammar.domain === 'bmp',
    };
  }),
);

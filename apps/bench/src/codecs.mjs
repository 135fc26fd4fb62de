/** Our codecs, by the one list of them, and how each spells what the variants spell differently. */
import { readFileSync } from 'node:fs';

/** @typedef {import('./reference.mjs').Spelling} Spelling */

/**
 * What is read or written: the label of one of our codecs, or `mixed`.
 *
 * @typedef {string} Variant
 */

/**
 * @typedef {object} Ours
 * @property {string} name - What comes after `@utf8/`.
 * @property {Variant} variant - What it reads and writes.
 * @property {(text: string) => boolean} fits - Whether it can write a text.
 */

/** @type {string[]} */
const specifiers = JSON.parse(
  readFileSync(new URL('../../../packages/variants.json', import.meta.url), 'utf8'),
);

/** @type {{ name: string, labels: string[], grammar: import('@utf8/core').Grammar }[]} */
const modules = await Promise.all(
  specifiers.map(async (specifier) => {
    const { labels, grammar } = await import(`${specifier}/lite`);
    return { name: specifier.slice('@utf8/'.length), labels, grammar };
  }),
);

/** The row by which a code point is written. @param {import('@utf8/core').Grammar} grammar @param {number} codePoint */
const rowOf = ({ rows }, codePoint) =>
  rows.find(({ first, last, writes }) => writes && first <= codePoint && codePoint <= last);

/** What the corpora ask of a grammar. @param {import('@utf8/core').Grammar} grammar @returns {Spelling} */
const describe = (grammar) => ({
  nul: rowOf(grammar, 0)?.units.flat().length ?? 1,
  // Code units have no row of their own for what lies above them.
  split:
    grammar.domain === 'code units' || rowOf(grammar, 0x10000)?.units.length === 2
      ? 'always'
      : 'never',
});

/** @type {Map<Variant, Spelling>} */
const spellings = new Map([
  ...modules.map(
    ({ labels, grammar }) => /** @type {const} */ ([labels[0] ?? '', describe(grammar)]),
  ),
  ['mixed', /** @type {const} */ ({ nul: 1, split: 'alternately' })],
]);

/** @param {Variant} variant @returns {Spelling} */
export function spellingOf(variant) {
  const spelling = spellings.get(variant);
  if (!spelling) throw new Error(`there is no variant ${variant}`);
  return spelling;
}

const isMain = (/** @type {string} */ name) => !name.includes('/');

/** A profile is held against the peers of the variant that it belongs to, if it writes the same. @param {typeof modules[0]} module */
function variantOf({ name, labels: [label = ''], grammar }) {
  const main = modules.find((other) => isMain(other.name) && name.startsWith(`${other.name}/`));
  const of = main?.labels[0] ?? label;
  return JSON.stringify(describe(grammar)) === JSON.stringify(spellingOf(of)) ? of : label;
}

/** Whether a text has no character above U+FFFF. @param {string} text */
const isBmp = (text) => !/[\ud800-\udfff]/.test(text);

/** Every codec, and of the variants that are no profile the one without a kernel. @type {readonly Ours[]} */
export const codecs = modules.flatMap((module) => {
  const { name, grammar } = module;
  const fits = grammar.domain === 'bmp' ? isBmp : () => true;
  const one = { name, variant: variantOf(module), fits };
  return isMain(name) ? [one, { ...one, name: `${name}/lite` }] : [one];
});

export const mainCodecs = codecs.filter(({ name }) => isMain(name));

/** Whether a codec is a profile of another. @param {string} name */
export const isProfile = (name) =>
  !isMain(name) && !name.endsWith('/lite') && specifiers.includes(`@utf8/${name}`);

const KiB = 1024;

/** The codecs without a kernel take long over large inputs, and no less per byte. @param {string} name */
export const largestFor = (name) => (isMain(name) ? Infinity : 64 * KiB);

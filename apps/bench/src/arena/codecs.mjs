/** Our codecs, from the list of them, and the characters that the variants encode differently. */
import { listed } from './listed.mjs';

/** @typedef {import('./reference.mjs').Spelling} Spelling */

/**
 * Variant that is read or written: the label of one of our codecs, or `mixed`.
 *
 * @typedef {string} Variant
 */

/**
 * @typedef {object} Ours
 * @property {string} name - What comes after `@utf8/`.
 * @property {Variant} variant - The variant that it reads and writes.
 * @property {(text: string) => boolean} fits - Whether it can write a text.
 */

/** @type {Map<Variant, Spelling>} */
const spellings = new Map([
  ...listed.map(({ label, spelling }) => /** @type {const} */ ([label, spelling])),
  ['mixed', /** @type {const} */ ({ nul: 1, split: 'alternately' })],
]);

/** @param {Variant} variant @returns {Spelling} */
export function spellingOf(variant) {
  const spelling = spellings.get(variant);
  if (!spelling) throw new Error(`there is no variant ${variant}`);
  return spelling;
}

const isMain = (/** @type {string} */ name) => !name.includes('/');

/** A profile is held against the peers of the variant that it belongs to, if it writes the same. @param {import('./listed.mjs').Listed} module */
function variantOf({ name, label, spelling }) {
  const main = listed.find((other) => isMain(other.name) && name.startsWith(`${other.name}/`));
  const of = main?.label ?? label;
  return JSON.stringify(spelling) === JSON.stringify(spellingOf(of)) ? of : label;
}

/** Tells whether a text has no character above U+FFFF. @param {string} text */
const isBmp = (text) => !/[\ud800-\udfff]/.test(text);

/** Every codec, and the one without a kernel of variants that are not profiles. @type {readonly Ours[]} */
export const codecs = listed.flatMap((module) => {
  const { name, isBmpOnly } = module;
  const one = { name, variant: variantOf(module), fits: isBmpOnly ? isBmp : () => true };
  return isMain(name) ? [one, { ...one, name: `${name}/lite` }] : [one];
});

export const mainCodecs = codecs.filter(({ name }) => isMain(name));

/** Tells whether a codec is a profile of another. @param {string} name */
export const isProfile = (name) =>
  !isMain(name) && !name.endsWith('/lite') && listed.some((one) => one.name === name);

const KiB = 1024;

/** The codecs without a kernel take long over large inputs, and no less per byte. @param {string} name */
export const largestFor = (name) => (isMain(name) ? Infinity : 64 * KiB);

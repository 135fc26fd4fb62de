/** Our codecs. */

/** @typedef {import('./reference.mjs').Variant} Variant */

/**
 * @typedef {object} Ours
 * @property {string} name - What comes after `@utf8/`.
 * @property {Variant} variant - What it reads and writes.
 */

/** @type {readonly Ours[]} */
export const codecs = [
  { name: 'strict', variant: 'utf-8' },
  { name: 'strict/lite', variant: 'utf-8' },
  { name: 'cesu8', variant: 'cesu-8' },
  { name: 'cesu8/lite', variant: 'cesu-8' },
  { name: 'cesu8/lenient', variant: 'cesu-8' },
  { name: 'mutf8', variant: 'mutf-8' },
  { name: 'mutf8/lite', variant: 'mutf-8' },
  { name: 'mutf8/data-input', variant: 'mutf-8' },
  { name: 'rfc2279', variant: 'rfc2279' },
  { name: 'rfc2279/lite', variant: 'rfc2279' },
];

export const mainCodecs = codecs.filter(({ name }) => !name.includes('/'));

const KiB = 1024;

/** The codecs without a kernel take long over large inputs, and no less per byte. @param {string} name */
export const largestFor = (name) => (name.includes('/') ? 64 * KiB : Infinity);

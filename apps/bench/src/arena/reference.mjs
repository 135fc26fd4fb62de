/**
 * Reference encoders, written from the standards' tables, one code unit after the other. They share no code
 * with the codecs in the race. TextEncoder is the reference for UTF-8.
 */

const utf8 = new TextEncoder();

/**
 * Differences between the variants in the corpora.
 *
 * @typedef {object} Spelling
 * @property {number} nul - The bytes of U+0000.
 * @property {'never' | 'always' | 'alternately'} split - Whether a pair is six bytes, not four.
 */

/** Bytes in memory of their own, as a reader from a file or a socket has them. @param {string} text @param {Spelling} spelling */
export function encode(text, { nul, split }) {
  if (nul === 1 && split === 'never') return own(utf8.encode(text));
  let pairs = 0;
  const isSplit = () => split === 'always' || (split === 'alternately' && pairs++ % 2 === 0);
  return encodeUnits(text, { nul, isSplit });
}

/** @param {Uint8Array} bytes */
export function own(bytes) {
  const copy = new Uint8Array(bytes.length);
  copy.set(bytes);
  return copy;
}

/** @param {string} text @param {{ nul: number, isSplit: () => boolean }} spelling */
function encodeUnits(text, { nul, isSplit }) {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80 && (unit > 0 || nul === 1)) {
      bytes[length++] = unit;
    } else if (unit < 0x800) {
      bytes[length++] = 0xc0 + (unit >> 6);
      bytes[length++] = 0x80 + (unit & 63);
    } else if ((unit & 0xfc00) === 0xd800 && !isSplit()) {
      const point = /** @type {number} */ (text.codePointAt(i++));
      bytes[length++] = 0xf0 + (point >> 18);
      bytes[length++] = 0x80 + ((point >> 12) & 63);
      bytes[length++] = 0x80 + ((point >> 6) & 63);
      bytes[length++] = 0x80 + (point & 63);
    } else {
      if ((unit & 0xfc00) === 0xd800) {
        // The low half belongs to the same spelling.
        length = writeThree(bytes, length, unit);
        length = writeThree(bytes, length, text.charCodeAt(++i));
      } else length = writeThree(bytes, length, unit);
    }
  }
  return bytes.slice(0, length);
}

/** @param {Uint8Array} bytes @param {number} at @param {number} unit */
function writeThree(bytes, at, unit) {
  bytes[at] = 0xe0 + (unit >> 12);
  bytes[at + 1] = 0x80 + ((unit >> 6) & 63);
  bytes[at + 2] = 0x80 + (unit & 63);
  return at + 3;
}

/**
 * Describes the first difference of a result from the correct one; undefined if they are equal.
 *
 * @param {unknown} actual
 * @param {unknown} wanted
 * @returns {string | undefined}
 */
export function findDifference(actual, wanted) {
  if (typeof wanted === 'string') {
    if (typeof actual !== 'string') return `is ${typeof actual}, not a string`;
    if (actual === wanted) return undefined;
    let i = 0;
    while (i < wanted.length && actual.charCodeAt(i) === wanted.charCodeAt(i)) i++;
    return `differs from code unit ${i} on: ${showUnits(actual, i)} instead of ${showUnits(wanted, i)}`;
  }
  if (wanted instanceof Uint8Array) {
    if (!(actual instanceof Uint8Array)) return `is ${typeof actual}, not bytes`;
    let i = 0;
    while (i < wanted.length && actual[i] === wanted[i]) i++;
    if (i === wanted.length && i === actual.length) return undefined;
    return `differs from byte ${i} on: ${showBytes(actual, i)} instead of ${showBytes(wanted, i)}`;
  }
  return Object.is(actual, wanted)
    ? undefined
    : `is ${String(actual)} instead of ${String(wanted)}`;
}

/** @param {string} text @param {number} at */
const showUnits = (text, at) =>
  at < text.length ? JSON.stringify(text.slice(at, at + 4)) : 'nothing';

/** @param {Uint8Array} bytes @param {number} at */
const showBytes = (bytes, at) =>
  at < bytes.length ? Array.from(bytes.subarray(at, at + 4), showByte).join(' ') : 'nothing';

const showByte = (/** @type {number} */ byte) => byte.toString(16).toUpperCase().padStart(2, '0');

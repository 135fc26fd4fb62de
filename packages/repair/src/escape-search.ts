/** Native searches for escapes that have to be looked into. */
import { indexOfRun } from './byte-search.js';

const BACKSLASH = 0x5c;
const BACKSLASHES = Uint8Array.of(BACKSLASH);
const UNIT = Uint8Array.of(BACKSLASH, 0x75);
const LETTER_U = 0x75;
const LETTER_D = 0x64;

/**
 * Tells whether bytes may contain an escape of U+0000 or of an unpaired surrogate, such as `\ud83d`. In
 * JSON in another syntax, the backslash may be doubled. True may be a false alarm; false never is.
 *
 * @param bytes - A text, or a whole file of texts.
 * @param isBare - True if nothing doubles the backslash, so that an even number of them is text.
 * @returns True if a closer look is necessary.
 * @example
 * ```ts
 * import { hasUnitEscape } from '@utf8/repair';
 *
 * hasUnitEscape(new TextEncoder().encode('{"a": "\\ud83d"}')); // => true
 * hasUnitEscape(new TextEncoder().encode('{"a": "\\ud83d\\ude00"}')); // => false
 * ```
 * @see RFC 8259, section 7
 */
export function hasUnitEscape(bytes: Uint8Array, isBare = false): boolean {
  for (let i = indexOfRun(bytes, UNIT, 0); i !== -1; i = indexOfRun(bytes, UNIT, i)) {
    const run = countBefore(bytes, i + 1);
    i += 2;
    if (isBare && run % 2 === 0) continue;
    const kind = unitAt(bytes, i);
    if (kind === 'other') continue;
    // Both escapes lose as many backslashes if their number is a power of two.
    const next = i + 4 + run;
    const isPair =
      kind === 'high' &&
      (run & (run - 1)) === 0 &&
      bytes[next] === LETTER_U &&
      countBefore(bytes, next) === run &&
      unitAt(bytes, next + 1) === 'low';
    if (!isPair) return true;
    i = next + 5;
  }
  return false;
}

/** The number of backslashes before an index. */
function countBefore(bytes: Uint8Array, index: number): number {
  let i = index;
  while (i > 0 && bytes[i - 1] === BACKSLASH) i--;
  return index - i;
}

/** Returns the kind of the UTF-16 code unit of four hexadecimal digits, as far as policies distinguish them. */
function unitAt(bytes: Uint8Array, i: number): 'nul' | 'high' | 'low' | 'other' {
  if (bytes[i] === 0x30) {
    for (let k = 1; k < 4; k++) if (bytes[i + k] !== 0x30) return 'other';
    return 'nul';
  }
  if (((bytes[i] as number) | 0x20) !== LETTER_D) return 'other';
  const second = (bytes[i + 1] as number) | 0x20;
  if (second === 0x38 || second === 0x39 || second === 0x61 || second === 0x62) return 'high';
  return second >= 0x63 && second <= 0x66 ? 'low' : 'other';
}

/** 1 for each byte that may begin the code of a byte, or that needs no escape. */
const codes = Uint8Array.from({ length: 0x100 }, (_, byte) =>
  byte >= 0x80 || '0234567xU'.includes(String.fromCharCode(byte)) ? 1 : 0,
);

/** Bytes after a backslash in which the next one is looked for without a native search. */
const NEAR = 24;

/**
 * Tells whether bytes may contain the code of a byte that is not ASCII, such as `\355` or `\xed`, or of
 * U+0000, in a syntax in which a backslash escapes. True may be a false alarm; false never is.
 *
 * @param bytes - A text, or a whole file of texts.
 * @returns True if a closer look is necessary.
 * @example
 * ```ts
 * import { hasByteEscape } from '@utf8/repair';
 *
 * hasByteEscape(new TextEncoder().encode('caf\\xe9')); // => true
 * hasByteEscape(new TextEncoder().encode('a\\tb')); // => false
 * ```
 */
export function hasByteEscape(bytes: Uint8Array): boolean {
  const { length } = bytes;
  for (let i = indexOfRun(bytes, BACKSLASHES, 0); i !== -1; ) {
    if (codes[bytes[i + 1] as number] === 1) return true;
    i += 2;
    // A call of the native search takes as long as a loop over some 30 bytes.
    const near = Math.min(i + NEAR, length);
    while (i < near && bytes[i] !== BACKSLASH) i++;
    if (i >= near) i = indexOfRun(bytes, BACKSLASHES, i);
  }
  return false;
}

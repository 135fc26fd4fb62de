/** The kernels of CESU-8, and between it and UTF-8. */
import { isPlain } from './plain';
import { isCommon as isCommonAt } from './common';
import { decode as decodeAt, initDecode } from './decode';
import { encode as encodeAt, initEncode } from './encode';
import { lengthen } from './lengthen';
import { shorten } from './shorten';
import { Short } from './short';
import { Surrogates, validate as validateAt } from './validate';

export { INPUT, INPUT_SIZE, OUTPUT, OUTPUT_SIZE } from './memory';
export { pairedLength } from './surrogates';

initDecode();
initEncode();

export function isCommon(p: usize, n: usize): bool {
  return isCommonAt(p, n, false);
}
export function validate(p: usize, n: usize): usize {
  return validateAt(p, n, Surrogates.PAIRED, false, false);
}
export function decode(p: usize, n: usize, o: usize): usize {
  return decodeAt(p, n, o, false);
}
/** The code units, or one of {@link Short}. */
export function decodeShort(p: usize, n: usize, o: usize): isize {
  if (isPlain(p, n, false)) return Short.PLAIN;
  return validate(p, n) == n ? decode(p, n, o) : Short.DOUBT;
}
export function encode(p: usize, n: usize, o: usize): usize {
  return encodeAt(p, n, o, false, false);
}
export function toUtf8(p: usize, n: usize, o: usize): usize {
  return shorten(p, n, o, false);
}
export function validateUtf8(p: usize, n: usize): usize {
  return validateAt(p, n, Surrogates.FORBIDDEN, true, false);
}
export function convertUtf8(p: usize, n: usize, o: usize): usize {
  return lengthen(p, n, o, false);
}

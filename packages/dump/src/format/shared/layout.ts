/** Tests for repairs that change how a piece is read. All of a piece except its text is ASCII. */
import type { Repair } from '@utf8/repair';
import type { Field } from '../format.js';
import { CR, LF } from './ascii.js';

/** Tells whether a repair writes and removes only characters above U+007F. */
export const keepsAscii = ({ findings }: Repair): boolean =>
  findings.every(({ kind, becomes }) => !becomes || (kind !== 'nul' && isAboveAscii(becomes)));

/** A removed sequence may have kept two bytes of ASCII apart. */
const isAboveAscii = (bytes: Uint8Array): boolean =>
  bytes.length > 0 && bytes.every((byte) => byte >= 0x80);

/** Tells whether nothing but the end of a line follows a field. */
export function isLastField(bytes: Uint8Array, { end }: Field): boolean {
  const next = bytes[end];
  return next === undefined || next === LF || (next === CR && bytes[end + 1] === LF);
}

/** Tells whether the result ends in a CR that is then a part of the line end. */
export const gainsReturn = (bytes: Uint8Array, field: Field, { bytes: text }: Repair): boolean =>
  text.at(-1) === CR && bytes[field.end - 1] !== CR && isLastField(bytes, field);

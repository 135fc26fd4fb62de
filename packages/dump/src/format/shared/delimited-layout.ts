/** Test for fields without quotes that need some. */
import type { Repair } from '@utf8/repair';
import type { Field, Layout, Piece } from '../format.js';
import { BACKSLASH, bytesOf, DOT, LETTER_N, LF, lengthOfMark, viewOf } from './ascii.js';
import { gainsReturn, isLastField, keepsAscii } from './layout.js';
import { type DialectBytes, NO_BYTE } from './options.js';

/** Bytes that end fields. */
export interface DelimitedEnds extends DialectBytes {
  /** True if a CR before a line feed belongs to the line end. */
  readonly hasReturns: boolean;
}

/**
 * Creates the layout of a dialect.
 *
 * @param readValue - Returns the value of the new text of a field without quotes.
 */
export function createLayout(
  dialect: DelimitedEnds,
  readValue: (bytes: Uint8Array, field: Field, text: Uint8Array) => Uint8Array,
): Layout {
  const { delimiter, quote, escaper } = dialect;
  const isQuoted = (bytes: Uint8Array, { start }: Field): boolean =>
    quote !== NO_BYTE && bytes[start - 1] === quote;
  const layout: Layout = {
    harm: 'contain a delimiter or a line end; choose another policy, or quote the field',
    breaks(bytes, piece, field, repair) {
      if (delimiter < 0x80 && keepsAscii(repair)) return false;
      return isQuoted(bytes, field)
        ? gainsEnd(bytes, field, repair)
        : isReadOtherwise(dialect, bytes, piece, field, repair);
    },
  };
  if (quote === NO_BYTE) return layout;
  const mark = escaper === NO_BYTE ? quote : escaper;
  return {
    ...layout,
    enclose(bytes, field, text) {
      if (isQuoted(bytes, field)) return undefined;
      const enclosed = [quote];
      for (const byte of readValue(bytes, field, text)) {
        if (byte === quote || byte === escaper) enclosed.push(mark);
        enclosed.push(byte);
      }
      return Uint8Array.from([...enclosed, quote]);
    },
  };
}

/** Tells whether a text would be read as something else where a field without quotes is. */
function isReadOtherwise(
  { delimiter, delimiterRest, quote, plainEscaper, hasReturns }: DelimitedEnds,
  bytes: Uint8Array,
  piece: Piece,
  field: Field,
  repair: Repair,
): boolean {
  const { start, end } = field;
  const text = repair.bytes;
  // Nothing at all is NULL, and the empty text is not.
  if (text.length === 0) return quote !== NO_BYTE;
  if (quote !== NO_BYTE && text[0] === quote) return true;
  if (start === 0 && lengthOfMark(text, piece.line, Math.max(1, piece.number)) > 0) return true;
  if (hasReturns && gainsReturn(bytes, field, repair)) return true;
  if (isPair(text, plainEscaper, LETTER_N)) return true;
  if (quote !== NO_BYTE && viewOf(text).equals(NULL_WORD)) return true;
  // The end of the rows of a COPY.
  const isAlone = start === piece.start && isLastField(bytes, field);
  if (isAlone && isPair(text, BACKSLASH, DOT)) return true;
  const view = Buffer.concat([text, bytes.subarray(end, end + delimiterRest.length)]);
  let i = 0;
  for (; i < text.length; i++) {
    const byte = view[i];
    if (byte === LF) return true;
    if (byte === delimiter && delimiterRest.every((each, k) => each === view[i + 1 + k]))
      return true;
    if (byte === plainEscaper) i++;
  }
  return i > text.length;
}

/** MySQL reads it as NULL where text has quotes. */
const NULL_WORD = bytesOf('NULL');

const isPair = (text: Uint8Array, first: number, second: number): boolean =>
  text.length === 2 && text[0] === first && text[1] === second;

/** The line that ends the rows of a COPY to psql, even within quotes. */
const END_LINE = /\n\\\.\r?\n/;

function gainsEnd(bytes: Uint8Array, { start, end }: Field, { bytes: text }: Repair): boolean {
  const hasEnd = (part: Uint8Array): boolean => END_LINE.test(viewOf(part).toString('latin1'));
  return hasEnd(text) && !hasEnd(bytes.subarray(start, end));
}

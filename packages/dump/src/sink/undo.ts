/** The undo log: JSON Lines with the changes that turn the output back into the original. */

import type { Label } from '@utf8/detect';
import { EDIT_WIDTH, type EditList } from '../rewrite/edits.js';

/** The first line. */
export interface UndoHeader {
  /** The version of this form. */
  readonly undo: 1;
  /** Of the original, in bytes; null if that was not known beforehand. */
  readonly size: number | null;
  readonly from: Label;
  readonly to: Label;
  readonly format: string;
}

/** A splice: in the output, `length` bytes at `at` were other bytes, given in hex. In order. */
export interface Splice {
  readonly at: number;
  readonly length: number;
  readonly bytes: string;
}

/** The last line: the sizes in bytes, and each {@link Digest} in hex. */
export type UndoFooter = Readonly<
  Record<'original' | 'output', { readonly size: number; readonly digest: string }>
>;

/** Most original bytes in a line, so that any undo log can be read in constant memory. */
const MOST = 1 << 16;

/** Longest line without its original bytes: three words, two numbers of 16 digits, punctuation. */
const FRAME = 64;

const DIGITS: Uint8Array = Buffer.from('0123456789abcdef');
const AT: Uint8Array = Buffer.from('{"at":');
const LENGTH: Uint8Array = Buffer.from(',"length":');
const BYTES: Uint8Array = Buffer.from(',"bytes":"');
const END: Uint8Array = Buffer.from('"}\n');

export const formatLine = (line: UndoHeader | UndoFooter): string => `${JSON.stringify(line)}\n`;

/**
 * Formats the splices of a stretch of the output, which begins at `offset`. Every character may have
 * one, so that this writes bytes and makes no objects.
 */
export function formatSplices({ numbers, originals }: EditList, offset: number): Uint8Array {
  const lines = numbers.length / EDIT_WIDTH + originals.length / MOST;
  const target = new Uint8Array(Math.ceil(lines) * FRAME + 2 * originals.length);
  let position = 0;
  const add = (bytes: Uint8Array): void => {
    for (let i = 0; i < bytes.length; i++) target[position++] = bytes[i] as number;
  };
  const addNumber = (number: number): void => {
    let end = position + 1;
    for (let rest = number; rest >= 10; rest = Math.floor(rest / 10)) end++;
    position = end;
    for (let rest = number; end === position || rest > 0; rest = Math.floor(rest / 10)) {
      target[--end] = 0x30 + (rest % 10);
    }
  };
  let start = 0;
  for (let i = 0; i < numbers.length; i += EDIT_WIDTH) {
    const end = start + (numbers[i + 2] as number);
    let at = offset + (numbers[i] as number);
    let length = numbers[i + 1] as number;
    do {
      add(AT);
      addNumber(at);
      add(LENGTH);
      addNumber(length);
      add(BYTES);
      // Bytes that do not fit on a line are inserted after its first part.
      const part = Math.min(end, start + MOST);
      for (; start < part; start++) {
        const byte = originals[start] as number;
        target[position++] = DIGITS[byte >> 4] as number;
        target[position++] = DIGITS[byte & 15] as number;
      }
      add(END);
      at += length;
      length = 0;
    } while (start < end);
  }
  return target.subarray(0, position);
}

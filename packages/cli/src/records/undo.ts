/** The file of `--undo`: JSON Lines that say how to get the original back from the output. */
import type { Label } from '@utf8/detect';
import { type EditList, each } from './edits.js';

/** The first line. */
export interface UndoHeader {
  /** The version of this form. */
  readonly undo: 1;
  /** Of the original, in bytes; null where that was not known beforehand. */
  readonly size: number | null;
  readonly from: Label;
  readonly to: Label;
  readonly format: string;
}

/** A splice: in the output, `length` bytes at `at` were other bytes. They come in order. */
export interface Splice {
  /** In bytes. */
  readonly at: number;
  /** In bytes; 0 where something was taken out. */
  readonly length: number;
  /** The original ones, in hex. */
  readonly bytes: string;
}

/** What is known of one of the two files. */
export interface FileMark {
  /** In bytes. */
  readonly size: number;
  /** As {@link Digest} has it, in hex. */
  readonly digest: string;
}

/** The last line. */
export interface UndoFooter {
  readonly original: FileMark;
  readonly output: FileMark;
}

/** How many bytes a line holds at most, so that any undo file is read in constant memory. */
const MOST = 1 << 16;

export const formatLine = (line: UndoHeader | UndoFooter): string => `${JSON.stringify(line)}\n`;

const toHex = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('hex');

/**
 * The splices of a stretch of the output.
 *
 * @param offset - Where that begins in the output, in bytes.
 */
export function formatSplices(list: EditList, offset: number): string {
  let text = '';
  for (const { at, length, original } of each(list)) {
    // What is longer than a line is put in behind the first part of it.
    for (let start = 0; start === 0 || start < original.length; start += MOST) {
      const isFirst = start === 0;
      const bytes = toHex(original.subarray(start, start + MOST));
      // By hand: there may be millions of them, and JSON.stringify takes twice as long.
      text += `{"at":${offset + at + (isFirst ? 0 : length)},"length":${isFirst ? length : 0},"bytes":"${bytes}"}\n`;
    }
  }
  return text;
}

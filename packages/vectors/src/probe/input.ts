/** The inputs of a probe: the vectors, and others for behaviour that no vector covers. */
import { cases } from '../generated/cases.js';
import { announcedLength, isWhite } from './quirk.js';

export interface Input {
  readonly id: string;
  readonly bytes: Uint8Array;
  /** The purpose of the input in one line. */
  readonly description: string;
}

const fromHex = (digits: string): Uint8Array =>
  Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

/** Formats bytes as `C0 AF`. */
export const formatHex = (bytes: Iterable<number>): string =>
  Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');

/** Parses `id|bytes|description`. */
const parse = (line: string): Input => {
  const [, id = '', digits = '', description = ''] = /^([^|]*)\|([^|]*)\|(.*)$/.exec(line) ?? [];
  return { id, bytes: fromHex(digits), description };
};

/** All vectors, in the order of `vectors.json`. */
export const vectorInputs: readonly Input[] = cases.map(parse);

/** Inputs that reveal the treatment of malformed bytes: FF is malformed to every reader. */
export const ff: Uint8Array = fromHex('61ff62');
export const trail: Uint8Array = fromHex('618062');

/** Texts that a reader must not change. */
export const textInputs: readonly Input[] = [
  'text/crlf|610d0a62|CR LF between letters',
  'text/cr|610d62|CR between letters',
  'text/lf|610a62|LF between letters',
  'text/newline-end|610a|LF at the end',
  'text/newlines-end|610a0a|Two LF at the end',
  'text/space-end|612020|Spaces at the end',
  'text/tab-end|6109|A tab at the end',
  'text/space-start|202061|Spaces at the start',
  'text/newline-start|0a61|LF at the start',
  'text/white|20|Nothing but a space',
  'text/controls|61010c1b7f62|Control characters between letters',
  'text/substitute|611a62|U+001A, the end of a file in DOS',
  'text/composed|61cc8a|a and a combining ring, which NFC composes',
  'text/ohm|e284a6|The ohm sign, which every normalization replaces by omega',
  'text/ligature|efac81|The ligature fi, which compatibility normalization splits',
  'text/letter-fault|61ff|A fault at the end',
  'text/fault-letter|ff61|A fault at the start',
].map(parse);

/** Bytes to put before a sequence, so that it crosses the edge of a block. */
const pads = [15, 31, 63, 127];
const everyPad = Array.from({ length: 131 }, (_, pad) => pad);
const tails = ['ff', 'e282ac', 'e282', 'c341', 'eda080', 'c0af', 'c3a9', 'f09f9880'];

/** Number of tails that are read at every position. */
const EVERYWHERE = 3;

/** Length in bytes that exceeds 64 KiB, and any buffer of a few blocks. */
const LONG = 70_000;

/** An input with a sequence at a certain position. */
export interface Placed extends Input {
  /** Bytes of the sequence after a single filler byte. */
  readonly near: Uint8Array;
}

function place(id: string, count: number, filler: string, digits: string): Placed {
  const tail = fromHex(digits);
  const fill = (length: number): Uint8Array => {
    const bytes = new Uint8Array(length + tail.length).fill(filler.charCodeAt(0));
    bytes.set(tail, length);
    return bytes;
  };
  const noun = filler === ' ' ? 'spaces' : 'letters';
  const description = `${count} ${noun}${digits && `, then ${formatHex(tail)}`}`;
  return { id, bytes: fill(count), description, near: fill(1) };
}

/** Lists sequences after 15, 31, 63 and 127 spaces; in a thorough probe, some after 0 to 130. */
export const listBlocks = (isThorough: boolean): Placed[] =>
  tails.flatMap((digits, i) =>
    (isThorough && i < EVERYWHERE ? everyPad : pads).map((pad) =>
      place(`block/${pad}-${digits}`, pad, ' ', digits),
    ),
  );

/** Sequences after more than 64 KiB of letters. */
export const late: readonly Placed[] = ['c3a9', 'ff62', 'c0af62', 'e282', 'eda08062', 'e241'].map(
  (digits) => place(`late/${digits}`, LONG, 'a', digits),
);

/** Lists long inputs, in which a sequence crosses the edge of every buffer. */
export function listLong(accepts: (bytes: Uint8Array) => boolean): Input[] {
  const sequences = ['c3a9', 'e282ac', 'f09f9880', 'eda0bdedb880'].map(fromHex).filter(accepts);
  const shifted = sequences.flatMap((sequence) =>
    Array.from(sequence, (_, shift): Input => {
      const bytes = new Uint8Array(
        shift + Math.ceil(LONG / sequence.length) * sequence.length,
      ).fill(0x61);
      for (let i = shift; i < bytes.length; i += sequence.length) bytes.set(sequence, i);
      return {
        id: `long/${sequence.length}-${shift}`,
        bytes,
        description: `${bytes.length} bytes of ${formatHex(sequence)}, after ${shift} letters`,
      };
    }),
  );
  const letters = place('long/letters', LONG, 'a', '');
  return [...shifted, letters];
}

/** Inputs in two parts, which are read one after the other. */
export const parts: readonly (readonly [id: string, Uint8Array, Uint8Array])[] = [
  ['c3', 'a9'],
  ['e2', '82ac'],
  ['e282', 'ac'],
  ['f0', '9f9880'],
  ['f09f98', '80'],
  ['61', '62'],
  ['61e2', '4162'],
  ['61ff', '62'],
  ['eda0bd', 'edb880'],
].map(([one = '', other = '']) => [`parts/${one}-${other}`, fromHex(one), fromHex(other)] as const);

/** Pairs of inputs: the first must not change the answer to the second. */
export const sequels: readonly (readonly [string, Uint8Array, Uint8Array])[] = [
  ['e282', '41'],
  ['f09f98', '80'],
  ['c3', 'a9'],
  ['eda0bd', 'edb880'],
  ['ff', '61c3a962'],
  ['efbbbf61', 'efbbbf62'],
].map(
  ([one = '', other = '']) => [`sequel/${one}-${other}`, fromHex(one), fromHex(other)] as const,
);

/** Tells whether text before or after an input could change its answer. */
export function mustStandAlone({ bytes }: Input): boolean {
  const [first, second] = bytes;
  const isMark = (first === 0xef && second === 0xbb) || first === 0xfe || first === 0xff;
  if (first === undefined || bytes.includes(0) || isMark) return true;
  if (isWhite(first) || isWhite(bytes.at(-1) as number)) return true;
  for (let i = bytes.length - 1; i >= 0; i--) {
    const byte = bytes[i] as number;
    if (byte < 0x80) return false;
    if (byte >= 0xc0) return announcedLength(byte) > bytes.length - i;
  }
  return false;
}

/** What is fed to a reader: the vectors, and what no vector shows. */
import { cases } from '../generated/cases.js';
import { announced, isWhite } from './quirk.js';

export interface Input {
  readonly id: string;
  readonly bytes: Uint8Array;
  /** One line for people. */
  readonly shows: string;
}

const fromHex = (digits: string): Uint8Array =>
  Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

/** Bytes as people write them: `C0 AF`. */
export const spellBytes = (bytes: Iterable<number>): string =>
  Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');

/** Splits `id|bytes|what it shows`. */
const parse = (line: string): Input => {
  const [, id = '', digits = '', shows = ''] = /^([^|]*)\|([^|]*)\|(.*)$/.exec(line) ?? [];
  return { id, bytes: fromHex(digits), shows };
};

/** All vectors, in the order of `vectors.json`. */
export const vectorInputs: readonly Input[] = cases.map(parse);

/** What shows how faults are rendered; no reader has other ideas of FF. */
export const ff: Uint8Array = fromHex('61ff62');
export const trail: Uint8Array = fromHex('618062');

/** What a reader has no business to change. */
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
  'text/ohm|e284a6|The ohm sign, which every normal form replaces by omega',
  'text/ligature|efac81|The ligature fi, which compatibility forms split',
  'text/letter-fault|61ff|A fault at the end',
  'text/fault-letter|ff61|A fault at the start',
].map(parse);

/** Bytes to put before a sequence, so that it crosses the edge of a block. */
const pads = [15, 31, 63, 127];
const everyPad = Array.from({ length: 131 }, (_, pad) => pad);
const tails = ['ff', 'e282ac', 'e282', 'c341', 'eda080', 'c0af', 'c3a9', 'f09f9880'];

/** How many of the tails go to every place. */
const EVERYWHERE = 3;

/** More than any buffer of a few blocks, and than 2 to the power of 16: in bytes. */
const LONG = 70_000;

/** An input whose place is what it is about. */
export interface Placed extends Input {
  /** The same after a single byte. */
  readonly near: Uint8Array;
}

function place(id: string, count: number, filler: string, digits: string): Placed {
  const tail = fromHex(digits);
  const fill = (length: number): Uint8Array => {
    const bytes = new Uint8Array(length + tail.length).fill(filler.charCodeAt(0));
    bytes.set(tail, length);
    return bytes;
  };
  const what = filler === ' ' ? 'spaces' : 'letters';
  const shows = `${count} ${what}${digits && `, then ${spellBytes(tail)}`}`;
  return { id, bytes: fill(count), shows, near: fill(1) };
}

/** Sequences after 15, 31, 63 and 127 spaces, some also after any number up to 130. */
export const listBlocks = (isThorough: boolean): Placed[] =>
  tails.flatMap((digits, i) =>
    (isThorough && i < EVERYWHERE ? everyPad : pads).map((pad) =>
      place(`block/${pad}-${digits}`, pad, ' ', digits),
    ),
  );

/** Sequences after more letters than 64 KiB. */
export const late: readonly Placed[] = ['c3a9', 'ff62', 'c0af62', 'e282', 'eda08062', 'e241'].map(
  (digits) => place(`late/${digits}`, LONG, 'a', digits),
);

/** Long inputs, in which a sequence crosses the edge of every buffer. */
export function listLong(accepts: (bytes: Uint8Array) => boolean): Input[] {
  const forms = ['c3a9', 'e282ac', 'f09f9880', 'eda0bdedb880'].map(fromHex).filter(accepts);
  const shifted = forms.flatMap((form) =>
    Array.from(form, (_, shift): Input => {
      const bytes = new Uint8Array(shift + Math.ceil(LONG / form.length) * form.length).fill(0x61);
      for (let i = shift; i < bytes.length; i += form.length) bytes.set(form, i);
      const spelled = spellBytes(form);
      return {
        id: `long/${form.length}-${shift}`,
        bytes,
        shows: `${bytes.length} bytes of ${spelled}, after ${shift} letters`,
      };
    }),
  );
  const letters = place('long/letters', LONG, 'a', '');
  return [...shifted, letters];
}

/** Inputs in two parts that are read one after the other. */
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

/** Inputs one after the other: what the first leaves must not be in the second. */
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

/** Whether what comes next to an input could change how it is read. */
export function mustStandAlone({ bytes }: Input): boolean {
  const [first, second] = bytes;
  const isMark = (first === 0xef && second === 0xbb) || first === 0xfe || first === 0xff;
  if (first === undefined || bytes.includes(0) || isMark) return true;
  if (isWhite(first) || isWhite(bytes.at(-1) as number)) return true;
  for (let i = bytes.length - 1; i >= 0; i--) {
    const byte = bytes[i] as number;
    if (byte < 0x80) return false;
    if (byte >= 0xc0) return announced(byte) > bytes.length - i;
  }
  return false;
}

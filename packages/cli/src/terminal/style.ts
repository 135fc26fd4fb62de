/** Colour, if the stream shows it and the user has not refused it. */
import { styleText } from 'node:util';
import { escapeText } from './escape.js';

const formats = {
  title: 'bold',
  good: 'green',
  bad: 'red',
  doubtful: 'yellow',
  weak: 'dim',
  payload: ['bold', 'underline', 'cyan'],
} as const;

type Kind = keyof typeof formats;

/** Escapes text and paints it by its kind; without colour it is only escaped. */
export type Style = Readonly<Record<Kind, (text: string) => string>> & {
  readonly hasColor: boolean;
};

let isRefused = false;

/** Allows or refuses colour for the command that runs; `--no-color` refuses it. */
export const allowColor = (isAllowed: boolean): void => {
  isRefused = !isAllowed;
};

/** Creates the style of lines on a stream; those of JSON have no colour. */
export function createStyle(isJson = false, stream: 'stdout' | 'stderr' = 'stdout'): Style {
  const hasColor = !isJson && !isRefused && wantsColor(stream);
  // Versions of Node differ on whether stdout has colours, so `styleText` must not decide.
  const options = { validateStream: false };
  const paint = (kind: Kind): [Kind, (text: string) => string] => {
    const format = formats[kind] as Parameters<typeof styleText>[0];
    return [
      kind,
      (text) => (hasColor ? styleText(format, escapeText(text), options) : escapeText(text)),
    ];
  };
  const kinds = Object.keys(formats) as Kind[];
  return { hasColor, ...Object.fromEntries(kinds.map(paint)) } as Style;
}

/** @see https://no-color.org and https://force-color.org */
function wantsColor(stream: 'stdout' | 'stderr'): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  if (NO_COLOR || FORCE_COLOR === '0' || FORCE_COLOR === 'false') return false;
  const { isTTY = false } = process[stream];
  return Boolean(FORCE_COLOR) || (isTTY && process[stream].hasColors());
}

/** The place at the start of a line, a kind that is counted below it, or the word before a command line. */
const LEAD = /^( *)(.+?:\d+(?::\d+)?(?=: )|[a-z][\w -]* \d+(?=[:,])|Next(?=: )|Undo(?=: ))(.*)$/s;

/** Escapes a line of a report, and paints how it begins. */
export function paintLine(line: string, style: Style): string {
  const [, indent = '', lead, rest = ''] = LEAD.exec(line) ?? [];
  return lead === undefined ? escapeText(line) : indent + style.title(lead) + escapeText(rest);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ESC starts every control sequence.
const PAINT = /(\x1b\[\d{1,2}m)/;

/** Escapes a line, except colours of a {@link Style}. */
export const escapePainted = (text: string): string =>
  text
    .split(PAINT)
    .map((part, i) => (i % 2 === 1 ? part : escapeText(part)))
    .join('');

/** Colour, if stdout shows it and the user has not refused it. */
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

/** @param isPlain - True for `--no-color`. */
export function createStyle(isPlain: boolean | undefined): Style {
  const hasColor = !isPlain && wantsColor();
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
function wantsColor(): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  if (NO_COLOR || FORCE_COLOR === '0' || FORCE_COLOR === 'false') return false;
  return Boolean(FORCE_COLOR) || (process.stdout.isTTY && process.stdout.hasColors());
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ESC starts every control sequence.
const PAINT = /(\x1b\[\d{1,2}m)/;

/** Escapes a line, except what a {@link Style} has painted. */
export const escapePainted = (text: string): string =>
  text
    .split(PAINT)
    .map((part, i) => (i % 2 === 1 ? part : escapeText(part)))
    .join('');

/** Colour, where somebody looks who has not asked for none. */
import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

type Kind = 'title' | 'good' | 'bad' | 'doubtful' | 'weak' | 'payload';

/** How each kind of text looks. */
const formats: Readonly<Record<Kind, Format>> = {
  title: 'bold',
  good: 'green',
  bad: 'red',
  doubtful: 'yellow',
  weak: 'dim',
  payload: ['bold', 'underline', 'cyan'],
};

/** Makes text look like what it is; without colour it stays as it is. */
export type Style = Readonly<Record<Kind, (text: string) => string>> & {
  readonly hasColor: boolean;
};

/** @param isAllowed - False where the command line says `--no-color`. */
export function createStyle(isAllowed: boolean): Style {
  const hasColor = isAllowed && wantsColor();
  // Whether stdout takes it has been decided, and each version of Node decides otherwise.
  const paint = (format: Format) => (text: string) =>
    hasColor ? styleText(format, text, { validateStream: false }) : text;
  return {
    hasColor,
    title: paint(formats.title),
    good: paint(formats.good),
    bad: paint(formats.bad),
    doubtful: paint(formats.doubtful),
    weak: paint(formats.weak),
    payload: paint(formats.payload),
  };
}

/** @see https://no-color.org and https://force-color.org; commander's help decides alike */
function wantsColor(): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  if (NO_COLOR || FORCE_COLOR === '0' || FORCE_COLOR === 'false') return false;
  if (FORCE_COLOR) return true;
  return process.stdout.isTTY && process.stdout.hasColors();
}

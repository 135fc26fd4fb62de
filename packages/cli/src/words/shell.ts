import { encode } from '@utf8/strict';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these cannot be written in plain quotes.
const UNPRINTABLE = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\udc80-\udcff]/;

/** Quotes an argument for a POSIX shell; with `$'…'` if it has controls, or bytes that are not UTF-8. */
export function quoteArgument(text: string): string {
  if (/^[\w./@%+=:,][\w./@%+=:,-]*$/.test(text)) return text;
  if (!UNPRINTABLE.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const units = text.replace(/[\udc80-\udcff]|[^\x20-\x7e]|['\\]/gu, (character) => {
    const code = character.charCodeAt(0);
    const isByte = character.length === 1 && code >= 0xdc80 && code <= 0xdcff;
    const bytes = isByte ? [code & 0xff] : [...encode(character, { errors: 'replace' })];
    return bytes.map((byte) => `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  });
  return `$'${units}'`;
}

/** Quotes the path of a file, so that no command takes it for an option, or for stdin. */
export const quotePath = (path: string): string =>
  quoteArgument(path.startsWith('-') ? `./${path}` : path);

/** Quotes a word, unless it is an option. */
export const quoteWord = (word: string): string =>
  /^--?[a-z-]+$/.test(word) ? word : quoteArgument(word);

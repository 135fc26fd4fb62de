/** Text in one line that loses nothing and does nothing to a terminal. */

/**
 * What cannot stand for itself, be it a half of a whole pair, which can: control characters, what ends
 * a line in some programs, what turns the direction of the rest of it, and the backslash.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const DOUBTFUL = /[\\\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/;

/** The same, and of halves only the lone ones. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const ESCAPED = /[\\\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]|\p{Cs}/gu;

const names: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

/** Writes `\\`, `\t`, `\n`, `\r` and, in upper-case hex, `\uXXXX` for what cannot stand for itself. */
export function escapeText(text: string): string {
  if (!DOUBTFUL.test(text)) return text;
  return text.replace(ESCAPED, (character) => names[character] ?? `\\u${hex(character, 4)}`);
}

const hex = (character: string, digits: number): string =>
  character.charCodeAt(0).toString(16).toUpperCase().padStart(digits, '0');

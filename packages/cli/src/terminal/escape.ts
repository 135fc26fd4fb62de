/**
 * Text that a terminal shows and never obeys: no C0 or C1 control, DEL, line separator, bidi control
 * (marks, embeddings, overrides, isolates) or unpaired surrogate is left in it.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped.
const UNSAFE = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Cs}/gu;

/** Also finds surrogates of whole pairs and backslashes, in a third of the time (Node 20). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped.
const DOUBTFUL = /[\\\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/;

const names: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Escapes text as `\t`, `\n`, `\r`, `\uXXXX`, and `\xHH` for a byte of a file name (U+DC80 to U+DCFF). */
export function escapeText(text: string): string {
  if (!DOUBTFUL.test(text)) return text;
  return text.replace(UNSAFE, (unit) => {
    const isByte = unit >= '\udc80' && unit <= '\udcff';
    return isByte ? `\\x${spellHex(unit.charCodeAt(0) & 0xff, 2)}` : escapeUnit(unit);
  });
}

/** Escapes text so that it can be restored: backslashes are doubled, and no unit becomes `\xHH`. */
export function escapeReversibly(text: string): string {
  if (!DOUBTFUL.test(text)) return text;
  return text.replaceAll('\\', '\\\\').replace(UNSAFE, escapeUnit);
}

const escapeUnit = (unit: string): string => names[unit] ?? `\\u${spellHex(unit.charCodeAt(0), 4)}`;

const spellHex = (value: number, digits: number): string =>
  value.toString(16).toUpperCase().padStart(digits, '0');

/** JSON with `\uXXXX` for all that {@link escapeText} escapes, except line feeds of the indentation. */
export function formatJson(
  value: unknown,
  replacer?: (key: string, value: unknown) => unknown,
  indent?: number,
): string {
  return JSON.stringify(value, replacer, indent).replace(UNSAFE, (unit) =>
    unit === '\n' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

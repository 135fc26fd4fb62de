/** Splits definitions that a server writes into names, strings and words. */

/** A part of a statement, with its place in it. */
export interface Token {
  readonly is: 'name' | 'string' | 'word' | 'sign';
  /** A name without its quotes; any other token as it is written. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Names in backticks, strings, words and numbers, the start of a comment that the server executes, and any
 * other character by itself.
 */
const TOKEN =
  /\s*(?:`((?:[^`]|``)*)`|('(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*")|([\w$\u0080-\uffff]+|\/\*M?!\d*)|([^\s]))/suy;

/** Returns nothing if a name or a string has no end. */
export function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (;;) {
    const from = TOKEN.lastIndex;
    const found = TOKEN.exec(sql);
    if (!found) return tokens;
    const [whole, name, string, word, sign] = found;
    if (sign && /[`'"]/.test(sign)) return [];
    const is = name !== undefined ? 'name' : string ? 'string' : word ? 'word' : 'sign';
    const text = name?.replaceAll('``', '`') ?? string ?? word ?? (sign as string);
    const start = from + whole.length - whole.trimStart().length;
    tokens.push({ is, text, start, end: from + whole.length });
  }
}

export const isSign = (token: Token | undefined, text: string): boolean =>
  token?.is === 'sign' && token.text === text;

export const isWord = (token: Token | undefined, text: string): boolean =>
  token?.is === 'word' && token.text.toUpperCase() === text;

/** Splits tokens where a condition holds outside parentheses. */
export function split(tokens: readonly Token[], isEnd: (token: Token) => boolean): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (isSign(token, '(')) depth++;
    if (isSign(token, ')')) depth--;
    if (depth === 0 && isEnd(token)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

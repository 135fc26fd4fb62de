/** Details that only the text of a CREATE statement contains: https://www.sqlite.org/lang.html */

interface Token {
  /** In lower case; a quoted name or a string without its quotes is not a keyword. */
  readonly text: string;
  /** Text in its own case. */
  readonly spelled: string;
  readonly isQuoted: boolean;
  readonly start: number;
  readonly end: number;
  /** Number of parentheses that are open before it. */
  readonly depth: number;
}

const TOKEN =
  /\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[\w$\u0080-\uffff]+|[\s\S]/g;

function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (const { 0: raw, index: start } of sql.matchAll(TOKEN)) {
    if (/^(?:\s|--|\/\*)/.test(raw)) continue;
    if (raw === ')') depth--;
    const isQuoted = raw.length > 1 && /^['"`[]/.test(raw);
    const quote = raw.at(-1) as string;
    const inner = isQuoted ? raw.slice(1, -1).replaceAll(quote + quote, quote) : raw;
    tokens.push({
      text: inner.toLowerCase(),
      spelled: inner,
      isQuoted,
      start,
      end: start + raw.length,
      depth,
    });
    if (raw === '(') depth++;
  }
  return tokens;
}

const isWord = (token: Token | undefined, ...words: readonly string[]): boolean =>
  token !== undefined && !token.isQuoted && words.includes(token.text);

/** The parts between commas of the first parentheses from a token on, and the token after them. */
function splitList(
  tokens: readonly Token[],
  from = 0,
): { readonly parts: Token[][]; readonly next: number } {
  const open = tokens.findIndex((token, i) => i >= from && isWord(token, '('));
  const parts: Token[][] = [];
  if (open === -1) return { parts, next: tokens.length };
  let part: Token[] = [];
  for (let i = open + 1; i < tokens.length; i++) {
    const token = tokens[i] as Token;
    const isOuter = token.depth === (tokens[open] as Token).depth + (isWord(token, ')') ? 0 : 1);
    if (isOuter && isWord(token, ',', ')')) {
      parts.push(part);
      part = [];
      if (token.text === ')') return { parts, next: i + 1 };
    } else {
      part.push(token);
    }
  }
  return { parts, next: tokens.length };
}

/** Properties of columns in a CREATE TABLE, by their names in lower case. */
export interface DeclaredColumns {
  readonly collations: ReadonlyMap<string, string>;
  /** Those with a CHECK (json_valid(…)). */
  readonly json: ReadonlySet<string>;
}

/** Reads a CREATE TABLE. */
export function readCreateTable(sql: string): DeclaredColumns {
  const tokens = tokenize(sql);
  const collations = new Map<string, string>();
  for (const [name, ...rest] of splitList(tokens).parts) {
    if (isWord(name, 'constraint', 'primary', 'unique', 'check', 'foreign')) break;
    const collate = rest.findIndex((token) => token.depth === 1 && isWord(token, 'collate'));
    const collation = rest[collate + 1];
    if (name && collate !== -1 && collation) collations.set(name.text, collation.spelled);
  }
  const json = new Set<string>();
  tokens.forEach((token, i) => {
    if (token.depth !== 1 || !isWord(token, 'check')) return;
    const { next } = splitList(tokens, i + 1);
    for (const column of findValidated(tokens.slice(i + 1, next))) json.add(column);
  });
  return { collations, json };
}

/** The columns that have a condition `json_valid`, which must always hold. */
function findValidated(tokens: readonly Token[]): string[] {
  const depth = tokens[0]?.depth;
  // Here, AND may not be between conditions that all have to hold.
  const isOther = (token: Token): boolean => isWord(token, 'or', 'between', 'case');
  if (tokens.some((token) => token.depth === depth && isOther(token))) return [];
  const at = tokens.findIndex((token) => token.depth === depth && isWord(token, 'and'));
  if (at !== -1)
    return [...findValidated(tokens.slice(0, at)), ...findValidated(tokens.slice(at + 1))];
  const [first, open, column, end, ...rest] = tokens;
  if (isWord(first, 'json_valid') && isWord(open, '(') && column) {
    // json_valid(column, flags) as well.
    const isCall = isWord(end, ')') ? rest.length === 0 : isWord(end, ',') && rest.length === 2;
    return isCall && isWord(tokens.at(-1), ')') ? [column.text] : [];
  }
  const close = tokens.findIndex(
    (token, i) => i > 0 && token.depth === depth && isWord(token, ')'),
  );
  return isWord(first, '(') && close === tokens.length - 1
    ? findValidated(tokens.slice(1, -1))
    : [];
}

/** The terms of a CREATE INDEX, without their collations and directions, and its WHERE. */
export function readCreateIndex(sql: string): {
  readonly terms: readonly string[];
  readonly where: string | undefined;
} {
  const tokens = tokenize(sql);
  const on = tokens.findIndex((token) => isWord(token, 'on'));
  const { parts, next } = splitList(tokens, on);
  const terms = parts.map((part) => {
    let end = part.length;
    if (isWord(part[end - 1], 'asc', 'desc')) end--;
    if (isWord(part[end - 2], 'collate')) end -= 2;
    return sql.slice(part[0]?.start, part[end - 1]?.end);
  });
  return {
    terms,
    where: isWord(tokens[next], 'where')
      ? sql.slice((tokens[next] as Token).end).trim()
      : undefined,
  };
}

/** The columns whose UPDATE fires a trigger, in lower case: `all`, or undefined if none does. */
export function readUpdateTrigger(sql: string): readonly string[] | 'all' | undefined {
  const tokens = tokenize(sql);
  // After its name, which may be any word: CREATE TEMP TRIGGER IF NOT EXISTS main.name
  let i = tokens.findIndex((token) => isWord(token, 'trigger')) + 1;
  if (isWord(tokens[i], 'if') && isWord(tokens[i + 1], 'not')) i += 3;
  i += isWord(tokens[i + 1], '.') ? 3 : 1;
  while (isWord(tokens[i], 'before', 'after', 'instead', 'of')) i++;
  if (!isWord(tokens[i], 'update')) return undefined;
  if (!isWord(tokens[i + 1], 'of')) return 'all';
  const columns: string[] = [];
  for (i += 2; i < tokens.length && !isWord(tokens[i], 'on'); i++) {
    if (!isWord(tokens[i], ',')) columns.push((tokens[i] as Token).text);
  }
  return columns;
}

/** Tells whether a statement contains a name, quoted or not. */
export const mentions = (sql: string, name: string): boolean =>
  tokenize(sql).some(({ text }) => text === name.toLowerCase());

/** Contents of a CREATE VIRTUAL TABLE. */
export interface VirtualTable {
  /** In lower case, such as `fts5`. */
  readonly module: string;
  /**
   * For a full-text index: the table, in lower case, whose text it indexes; `''` if it keeps no text at
   * all, undefined if it keeps its own.
   */
  readonly content: string | undefined;
}

/** Reads a CREATE VIRTUAL TABLE. */
export function readCreateVirtualTable(sql: string): VirtualTable {
  const tokens = tokenize(sql);
  const using = tokens.findIndex((token) => isWord(token, 'using'));
  const content = splitList(tokens, using).parts.find(
    ([key, equals]) => isWord(key, 'content') && isWord(equals, '='),
  );
  return {
    module: tokens[using + 1]?.text ?? '',
    content: content && content.length === 2 ? '' : content?.[2]?.text,
  };
}

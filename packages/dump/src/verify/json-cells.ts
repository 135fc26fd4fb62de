/** The values of a line of JSON: those of its keys if it is an object. */
import type { Field, Piece } from '../format/format.js';
import { jsonl } from '../format/jsonl.js';
import { BACKSLASH, bytesOf, COMMA, DOUBLE_QUOTE, viewOf } from '../format/shared/ascii.js';
import { deriveName } from '../format/shared/column-name.js';
import type { Cell, CellText } from './cell.js';

/** A value in a form that is the same for every order of keys, blank and escape. */
interface JsonText {
  /** In Latin-1: a character is a byte. */
  readonly text: string;
  /** Text before the conversion, in the same form; undefined if the conversion does not change it. */
  readonly raw: string | undefined;
  readonly marks: number;
}

/** An object or array that is open. */
interface JsonContainer {
  readonly isArray: boolean;
  readonly outer: JsonContainer | undefined;
  readonly entries: (JsonText & { readonly key: string })[];
  /** The key whose value is read. */
  key: JsonText | undefined;
}

const OPEN = { '{': false, '[': true } as const;

/**
 * Reads the values of a line. Strings at the top have no quotes, null is NULL, and a nested value is JSON
 * with sorted keys.
 *
 * @param readText - Reads a string.
 */
export function readJson(
  bytes: Uint8Array,
  { own, end, fields }: Piece,
  readText: (field: Field) => CellText,
): Cell[] {
  const cells: Cell[] = [];
  const addCell = (key: JsonText | undefined, cell: Omit<Cell, 'column' | 'number'>): void => {
    cells.push({ column: key && nameKey(key.text), number: cells.length + 1, ...cell });
  };
  let outer: JsonContainer | undefined;
  /** Tells whether values belong to the object of the line. */
  const isTop = (): boolean => outer !== undefined && !outer.outer && !outer.isArray;
  const add = (value: JsonText, cell?: Omit<Cell, 'column' | 'number'>): void => {
    if (!outer || isTop()) addCell(outer?.key, cell ?? toCell(value));
    else outer.entries.push({ ...value, key: outer.key?.text ?? '' });
    if (outer) outer.key = undefined;
  };
  let next = 0;
  for (let i = own; i < end; ) {
    const byte = bytes[i] as number;
    const character = String.fromCharCode(byte);
    if (byte === DOUBLE_QUOTE) {
      const field = fields[next++] as Field;
      const text = readText(field);
      i = field.end + 1;
      const string = toJsonText(text);
      if (outer && !outer.isArray && !outer.key) outer.key = string;
      else add(string, text);
    } else if (character === '{' || character === '[') {
      outer = { isArray: OPEN[character], outer, entries: [], key: undefined };
      i++;
    } else if (character === '}' || character === ']') {
      i++;
      const closed = outer;
      if (!closed) continue;
      const wasTop = isTop();
      outer = closed.outer;
      if (!wasTop) add(close(closed));
    } else if (byte <= 0x20 || byte === COMMA || character === ':') {
      i++;
    } else {
      const from = i;
      while (i < end && !isScalarEnd(bytes[i] as number)) i++;
      const text = viewOf(bytes).toString('latin1', from, i);
      const isNull = text === 'null';
      const cell = isNull ? { value: undefined, raw: undefined, marks: 0 } : undefined;
      add({ text, raw: undefined, marks: 0 }, cell);
    }
  }
  return cells;
}

const nameKey = (text: string): string => {
  const name = deriveName(bytesOf(text.slice(1, -1)));
  return name.replace(/\\(["\\])/g, '$1');
};

const toCell = ({ text, raw, marks }: JsonText): Omit<Cell, 'column' | 'number'> => ({
  value: bytesOf(text),
  raw: raw === undefined ? undefined : bytesOf(raw),
  marks,
});

const toJsonText = ({ value, raw, marks }: CellText): JsonText => ({
  text: spell(value),
  raw: raw && spell(raw),
  marks,
});

const spell = (value: Uint8Array): string =>
  `"${viewOf(value)
    .toString('latin1')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON requires escapes for these.
    .replace(/["\\\0-\x1f]/g, escapeCharacter)}"`;

const escapeCharacter = (character: string): string =>
  character === '"' || character === String.fromCharCode(BACKSLASH)
    ? `\\${character}`
    : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Spells a container with its keys in order. Strings are added, not joined: it may be deeply nested. */
function close({ isArray, entries }: JsonContainer): JsonText {
  const sorted = isArray
    ? entries
    : entries.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const isChanged = entries.some(({ raw }) => raw !== undefined);
  let text = isArray ? '[' : '{';
  let raw = text;
  let marks = 0;
  for (const [i, entry] of sorted.entries()) {
    const before = (i > 0 ? ',' : '') + (isArray ? '' : `${entry.key}:`);
    text += before + entry.text;
    if (isChanged) raw += before + (entry.raw ?? entry.text);
    marks |= entry.marks;
  }
  const end = isArray ? ']' : '}';
  return { text: text + end, raw: isChanged ? raw + end : undefined, marks };
}

const scalarEnds = new Set(bytesOf(',]} \t\r\n'));

const isScalarEnd = (byte: number): boolean => scalarEnds.has(byte);

const readPlain = (bytes: Uint8Array) => {
  const format = jsonl.create({});
  return (field: Field): CellText => ({
    value: format.readValue(bytes, field),
    raw: undefined,
    marks: 0,
  });
};

/** Spells a value of JSON in one way, as nested values are; undefined if it is no object or array. */
export function normalizeJson(value: Uint8Array): string | undefined {
  if (!/^\s*[[{]/.test(viewOf(value).toString('latin1', 0, 100))) return undefined;
  // Around tokens a line feed is a blank, and in strings there is none.
  const bytes = Buffer.concat([bytesOf('['), value, bytesOf(']')]).map((byte) =>
    byte === 0x0a ? 0x20 : byte,
  );
  try {
    const [cell] = [...jsonl.create({ group: '1' }).createReader().read(bytes)].flatMap((piece) =>
      readJson(bytes, piece, readPlain(bytes)),
    );
    return cell?.value && viewOf(cell.value).toString('latin1');
  } catch {
    return undefined;
  }
}

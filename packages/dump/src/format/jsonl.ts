/**
 * JSON Lines: each line is a value, and every string in it is a field, keys included. A line is parsed
 * only when its fields are read. Lines that belong together, as in a bulk file, are one record.
 *
 * @see https://jsonlines.org and RFC 8259
 */
import { hasUnitEscape, type JsonHandler, jsonSyntax, parseJson, type Syntax } from '@utf8/repair';
import { opt, phrase } from '../phrase.js';
import type { FormatDefinition } from './format.js';
import { FormatError } from './format-error.js';
import { BACKSLASH, bytesOf, CR, DOUBLE_QUOTE, LF, SPACE, TAB } from './shared/ascii.js';
import { deriveName } from './shared/column-name.js';
import { countLineFeeds } from './shared/line-feeds.js';
import {
  GroupReader,
  GroupScanner,
  groupOption,
  isBulk,
  readGrouping,
} from './shared/line-groups.js';
import type { LastLineCheck, LineRules } from './shared/linewise.js';
import { valueOptions } from './shared/options.js';
import { FieldList } from './shared/piece.js';
import { createReadValue } from './shared/unescape.js';

const rules: LineRules = {
  split: (bytes, { start, line }, end, fields) => splitJson(bytes, start, end, line, fields),
  checkLast: (bytes, start, line) => splitJson(bytes, start, bytes.length, line, new FieldList()),
  createCheck: (line) => new OpenValue(line),
  countOthers(bytes, start, end, line) {
    if (line === 1 && goesOn(bytes, start, end)) {
      throw new FormatError(
        phrase`the first value continues on the next line; use ${opt('format', 'json')} for an array, or ${opt('format', 'lines')}`,
        line,
      );
    }
    return 0;
  },
};

/** Tells whether a line ends within a string, an object or an array. */
class OpenValue implements LastLineCheck {
  readonly #line: number;
  #depth = 0;
  #isString = false;
  #isEscaped = false;

  constructor(line: number) {
    this.#line = line;
  }

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = this.#isString;
      else if (byte === DOUBLE_QUOTE) this.#isString = !this.#isString;
      else if (!this.#isString && opens[byte] !== 0) this.#depth += opens[byte] as number;
    }
  }

  finish(): void {
    if (this.#depth <= 0 && !this.#isString) return;
    throw new FormatError('the last line ends within a value; is the file complete?', this.#line);
  }
}

/** 1 for the bytes that open an object or array, -1 for those that close one. */
const opens = new Int8Array(0x100);
for (const byte of bytesOf('[{')) opens[byte] = 1;
for (const byte of bytesOf(']}')) opens[byte] = -1;

const syntaxOf = (): Syntax => jsonSyntax;

/** Tells whether a line ends within a value, as the first one of an array on several lines does. */
function goesOn(bytes: Buffer, start: number, end: number): boolean {
  const feed = bytes.indexOf(LF, start);
  if (feed === -1 || feed >= end) return false;
  return /[,:[{]\s*$/.test(bytes.toString('latin1', Math.max(start, feed - ENDING), feed));
}

/** Bytes of a line by which its end is known. */
const ENDING = 64;

/** Message for a file whose first line is an action. */
const BULK = phrase`bulk file of Elasticsearch or OpenSearch: an action and its document are one record; for records of one line, add ${opt('group', '1')}`;

export const jsonl: FormatDefinition = {
  name: 'jsonl',
  summary: 'JSON Lines; each string is a field, keys included',
  options: [groupOption, ...valueOptions],
  create(options) {
    const grouping = readGrouping(options);
    return {
      name: 'jsonl',
      isLineBased: grouping === undefined || grouping === 1,
      isOpaqueAscii: true,
      createReader: (state) => new GroupReader(rules, grouping, state),
      createScanner: (state) => new GroupScanner(rules, grouping, state),
      findGroups: (state) => (isBulk(state) ? BULK : undefined),
      quote: (text) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"'),
      escapeUnit: jsonSyntax.escapeUnit,
      nuls: [bytesOf('\\u0000')],
      mayHide: (bytes) => hasUnitEscape(bytes, true),
      spellsKeys: true,
      syntaxOf,
      readValue: createReadValue(syntaxOf),
    };
  },
};

/** Place of a value in the value around it: after a key, or at an index if there is no key. */
interface JsonPath {
  readonly outer: JsonPath | undefined;
  readonly key: Buffer | undefined;
  readonly index: number;
}

/** The most steps of a path that are written. Otherwise, the names in a deep value take more room than it has. */
const MOST_STEPS = 40;

/** Formats a path, as in `user.names[1]`, or the end of a long one, as in `….names[1]`. */
function spellPath(path: JsonPath): string {
  const steps: string[] = [];
  let step: JsonPath | undefined = path;
  for (; step && steps.length < MOST_STEPS; step = step.outer) steps.push(spellStep(step));
  const text = steps.reverse().join('');
  return step ? `…${text}` : text.replace(/^\./, '');
}

function spellStep({ key, index }: JsonPath): string {
  if (!key) return `[${index}]`;
  const name = unescapeKey(deriveName(key));
  return /^[\p{L}\p{N}_$-]+$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** Raw control characters are not JSON; a key with any of them stays as it is. */
function unescapeKey(key: string): string {
  try {
    return JSON.parse(`"${key}"`) as string;
  } catch {
    return key;
  }
}

/** An object or array that is open. */
interface JsonContainer {
  readonly isArray: boolean;
  readonly path: JsonPath | undefined;
  readonly outer: JsonContainer | undefined;
  /** Its number in the record. */
  readonly id: number;
  /** The index of the current element, or the path of the current key. */
  index: number;
  inner: JsonPath | undefined;
}

/**
 * Finds the strings of a value. A blank line has none.
 *
 * @param allowsLines - True if the value may have several lines.
 */
export function splitJson(
  bytes: Buffer,
  start: number,
  end: number,
  line: number,
  fields: FieldList,
  allowsLines = false,
): void {
  let text = start;
  while (text < end && isSpace(bytes[text])) text++;
  if (text === end) return;
  let container: JsonContainer | undefined;
  let path: JsonPath | undefined;
  // Other lines of the record may precede.
  let count = fields.last;
  let containers = start;
  const handler: JsonHandler = {
    value() {
      if (!container) return;
      path = container.isArray
        ? { outer: container.path, key: undefined, index: container.index++ }
        : container.inner;
    },
    open(isArray) {
      container = { isArray, path, outer: container, id: containers++, index: 0, inner: undefined };
    },
    close() {
      container = container?.outer;
    },
    key(start, end) {
      const { id, path: outer } = container as JsonContainer;
      const inner = { outer, key: bytes.subarray(start, end), index: -1 };
      (container as JsonContainer).inner = inner;
      fields.add(start, end, 'text', () => `key ${spellPath(inner)}`, ++count).owner = id;
    },
    string(start, end) {
      const at = path;
      fields.add(start, end, 'text', at && (() => spellPath(at)), ++count);
    },
  };
  const fault = parseJson(bytes, handler, { start, end, allowsLines });
  if (!fault) return;
  const advice =
    fault.index < end
      ? phrase`correct the line, or use ${opt('format', 'lines')}`
      : phrase`if a value has several lines, use ${opt('format', 'json')} for an array, or ${opt('format', 'lines')}`;
  const feed = fault.index === 0 ? -1 : bytes.lastIndexOf(LF, fault.index - 1);
  const from = Math.max(start, feed + 1);
  const lines = countLineFeeds(bytes, start, from);
  throw new FormatError(phrase`${fault.what}; ${advice}`, line + lines, fault.index - from + 1);
}

const isSpace = (byte: number | undefined): boolean =>
  byte === SPACE || byte === TAB || byte === CR;

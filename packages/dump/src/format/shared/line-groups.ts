/**
 * Lines that belong together: a number of lines is a record, or, in a bulk file of Elasticsearch or OpenSearch,
 * an action and its document.
 *
 * @see https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-bulk: `index`, `create` and
 *   `update` expect a document on the next line, `delete` does not
 * @see https://docs.opensearch.org/latest/api-reference/document-apis/bulk/
 */
import { type JsonHandler, parseJson } from '@utf8/repair';
import { UsageError } from '../../error.js';
import { opt, phrase } from '../../phrase.js';
import type {
  FormatOption,
  FormatOptions,
  Piece,
  Reader,
  ReaderState,
  UnitScanner,
} from '../format.js';
import { FormatError } from '../format-error.js';
import { endOfText, LF, lengthOfMark, viewOf } from './ascii.js';
import { countLineFeeds } from './line-feeds.js';
import { LineReader, type LineRules, LineScanner } from './linewise.js';
import { type FieldList, MovingPiece } from './piece.js';

export const groupOption: FormatOption = {
  name: 'group',
  value: 'lines',
  help: 'lines that are one record; 1 splits actions from documents',
};

/** Number of lines of a record: fixed, or decided by the action of each record. */
export type Grouping = number | 'bulk';

/** Lines of a record are read together, so there cannot be any number of them. */
const MOST_LINES = 1000;

/**
 * Reads the option; undefined if the first line is to decide.
 *
 * @throws {@link UsageError} unless it is a whole number from 1 to 1000.
 */
export function readGrouping({ group }: FormatOptions): number | undefined {
  if (group === undefined) return undefined;
  const lines = typeof group === 'string' && /^\d{1,4}$/.test(group) ? Number(group) : 0;
  if (lines >= 1 && lines <= MOST_LINES) return lines;
  throw new UsageError(
    phrase`${opt('group')} ${JSON.stringify(group)}: expected a number of lines from 1 to ${MOST_LINES}`,
  );
}

/** Bytes up to which a line may be an action. It has names alone, and no document. */
const MOST_ACTION = 1 << 16;

const ACTION = /^[ \t]*\{[ \t]*"(index|create|update|delete)"[ \t]*:[ \t]*\{/;

/** Bytes in which an action is named. */
const NAMED = 256;

/** Returns the number of lines of an action; 0 if a line is not an action. */
function linesOfAction(bytes: Buffer, start: number, end: number): number {
  if (end - start > MOST_ACTION) return 0;
  const name = ACTION.exec(bytes.toString('latin1', start, Math.min(end, start + NAMED)))?.[1];
  if (name === undefined) return 0;
  return name === 'delete' ? 1 : 2;
}

/** Tells whether a line is an action and nothing else: an object whose only key names one. */
function isOnlyAction(bytes: Buffer, start: number, end: number): boolean {
  if (linesOfAction(bytes, start, end) === 0) return false;
  let depth = 0;
  let keys = 0;
  const handler: JsonHandler = {
    open() {
      depth++;
    },
    close() {
      depth--;
    },
    key() {
      if (depth === 1) keys++;
    },
    string() {},
  };
  const fault = parseJson(bytes, handler, { start, end, allowsLines: false });
  return !fault && keys === 1;
}

/** Tells whether a file is a bulk file, by its first line. */
const startsBulk = (bytes: Buffer, start: number): boolean => {
  const feed = bytes.indexOf(LF, start);
  const end = feed === -1 ? bytes.length : feed + 1;
  return isOnlyAction(bytes, start, endOfText(bytes, start, end));
};

/** Returns the grouping that a state implies; undefined at the start of a file, whose first line decides. */
const findGrouping = (
  given: number | undefined,
  state: ReaderState | undefined,
): Grouping | undefined => {
  if (given !== undefined) return given;
  if (state?.context === 'bulk') return 'bulk';
  return !state || (state.line === 1 && state.record === 1) ? undefined : 1;
};

/** Tells whether a state is within a file in which the first line was an action. */
export const isBulk = ({ context }: ReaderState): boolean => context === 'bulk';

/** Counts the lines of the group that begins with a line. */
function countLines(
  grouping: Grouping,
  bytes: Buffer,
  start: number,
  end: number,
  line: number,
): number {
  if (grouping !== 'bulk') return grouping;
  const lines = linesOfAction(bytes, start, end);
  if (lines > 0) return lines;
  // Elasticsearch skips empty lines between actions.
  if (bytes.toString('latin1', start, Math.min(end, start + NAMED)).trim() === '') return 1;
  throw new FormatError(
    phrase`expected an action of a bulk file: index, create, update or delete; if this is not a bulk file, use ${opt('group', '1')}`,
    line,
  );
}

/** Refuses a last group that lacks lines. */
function refuseRest(grouping: Grouping, line: number): never {
  throw new FormatError(
    grouping === 'bulk'
      ? phrase`the file ends after an action, without its document; is it complete? If it is not a bulk file, use ${opt('group', '1')}`
      : `the last record has fewer than ${grouping} lines; is the file complete?`,
    line,
  );
}

/** Reads groups of lines, or single lines if the first one is not an action. */
export class GroupReader implements Reader {
  #line: number;
  #record: number;
  #grouping: Grouping | undefined;
  /** Reads lines alone. */
  #lines: LineReader | undefined;
  readonly #rules: LineRules;

  constructor(rules: LineRules, given: number | undefined, state: ReaderState | undefined) {
    this.#rules = rules;
    this.#line = state?.line ?? 1;
    this.#record = state?.record ?? 1;
    this.#grouping = findGrouping(given, state);
    if (this.#grouping === 1) this.#lines = new LineReader(rules, state);
  }

  get state(): ReaderState {
    if (this.#lines) return this.#lines.state;
    // Until there is a record, the first line decides again.
    const context = this.#grouping === 'bulk' && this.#record > 1 ? 'bulk' : null;
    return { line: this.#line, record: this.#record, context };
  }

  skip(bytes: Uint8Array, isLast: boolean): number {
    const view = viewOf(bytes);
    const start = lengthOfMark(view, this.#line, this.#record);
    if (!this.#decide(view, start, isLast)) return 0;
    if (this.#lines) return this.#lines.skip(bytes, isLast);
    this.#rules.countOthers?.(view, start, view.length, this.#line);
    let cut = start;
    while (cut < view.length) {
      const end = this.#pass(view, cut, isLast);
      if (end === -1) break;
      cut = end;
    }
    // A mark alone is not a unit unless the file ends.
    return cut === start && !isLast ? 0 : cut;
  }

  *read(bytes: Uint8Array): Generator<Piece, void, undefined> {
    const view = viewOf(bytes);
    let start = lengthOfMark(view, this.#line, this.#record);
    this.#decide(view, start, true);
    if (this.#lines) {
      yield* this.#lines.read(bytes);
      return;
    }
    const rules = this.#rules;
    rules.countOthers?.(view, start, view.length, this.#line);
    const piece = new MovingPiece((piece, fields) => {
      if (piece.kind === 'record') splitLines(rules, view, piece, fields);
    });
    piece.layout = rules.layout;
    if (start > 0) yield piece.place('other', 0, start, 0, this.#line);
    while (start < view.length) {
      const [line, record] = [this.#line, this.#record];
      const end = this.#pass(view, start, true);
      yield piece.place('record', start, end, record, line);
      start = end;
    }
  }

  /** Recognises a file by its first line; false if the line is not complete yet. */
  #decide(view: Buffer, start: number, isLast: boolean): boolean {
    if (this.#grouping !== undefined) return true;
    if (!isLast && view.indexOf(LF, start) === -1) return false;
    this.#grouping = startsBulk(view, start) ? 'bulk' : 1;
    if (this.#grouping === 1) this.#lines = new LineReader(this.#rules, this.state);
    return true;
  }

  /** Moves to the end of a group, and returns its index; -1 if it continues. */
  #pass(view: Buffer, start: number, isLast: boolean): number {
    const grouping = this.#grouping as Grouping;
    let lines = 1;
    let end = start;
    for (let i = 0; i < lines; i++) {
      const from = end;
      const feed = view.indexOf(LF, from);
      if (feed === -1 && !isLast) return -1;
      if (from === view.length) refuseRest(grouping, this.#line);
      end = feed === -1 ? view.length : feed + 1;
      if (i === 0) {
        lines = countLines(grouping, view, from, endOfText(view, from, end), this.#line);
      }
      if (feed === -1) this.#rules.checkLast?.(view, from, this.#line + i);
    }
    this.#line += countLineFeeds(view, start, end);
    this.#record++;
    return end;
  }
}

/** Finds the fields of all lines of a record, each at its own line. */
function splitLines(rules: LineRules, view: Buffer, piece: MovingPiece, fields: FieldList): void {
  const { start, end, line } = piece;
  for (let from = start, i = 0; from < end; i++) {
    const feed = view.indexOf(LF, from);
    const to = feed === -1 || feed >= end ? end : feed + 1;
    rules.split(view, { start: from, line: line + i }, endOfText(view, from, to), fields);
    from = to;
  }
}

/** Finds the end of a group of any length. */
export class GroupScanner implements UnitScanner {
  state: ReaderState;
  readonly #rules: LineRules;
  readonly #given: number | undefined;
  /** Finds the end of the current line. */
  #scanner: LineScanner;
  /** The bytes of the first line, or enough of them to show that it is not an action. */
  #head: Buffer = Buffer.alloc(0);
  /** Number of lines that have ended, and whether the next one has begun. */
  #done = 0;
  #isWithin = false;
  /** Number of lines of the group, after the first one has ended. */
  #lines = 1;

  constructor(rules: LineRules, given: number | undefined, state: ReaderState) {
    this.#rules = rules;
    this.#given = given;
    this.#scanner = new LineScanner(rules, state);
    this.state = state;
  }

  push(chunk: Uint8Array, isLast: boolean): number {
    for (let start = 0; ; ) {
      const rest = chunk.subarray(start);
      const grouping = findGrouping(this.#given, this.state) ?? 1;
      if (isLast && rest.length === 0 && this.#done > 0 && !this.#isWithin) {
        refuseRest(grouping, this.state.line);
      }
      if (this.#done === 0) {
        this.#head = Buffer.concat([this.#head, rest.subarray(0, HEAD - this.#head.length)]);
      }
      const length = this.#scanner.push(rest, isLast);
      this.#isWithin ||= rest.length > 0;
      if (length === -1) return -1;
      this.#isWithin = false;
      start += length;
      if (this.#done++ === 0) this.#begin();
      if (this.#done === this.#lines) {
        const { line, record } = this.#scanner.state;
        this.state = { ...this.state, line, record };
        return start;
      }
      const { line } = this.#scanner.state;
      this.#scanner = new LineScanner(this.#rules, { ...this.state, line });
    }
  }

  /** Finds out how many lines there are, from the first one. */
  #begin(): void {
    const { line, record } = this.state;
    // A mark alone is not a record.
    if (this.#scanner.state.record === record) return;
    const head = this.#head;
    const start = lengthOfMark(head, line, record);
    const grouping =
      findGrouping(this.#given, this.state) ?? (startsBulk(head, start) ? 'bulk' : 1);
    if (grouping === 'bulk') this.state = { ...this.state, context: 'bulk' };
    const feed = head.indexOf(LF, start);
    const end = feed === -1 ? head.length : feed + 1;
    this.#lines = countLines(grouping, head, start, endOfText(head, start, end), line);
  }
}

/** Bytes of a first line that are kept: more than an action has, after U+FEFF and before CR LF. */
const HEAD = MOST_ACTION + 8;

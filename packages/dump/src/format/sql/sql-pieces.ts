/** The pieces of a stretch of SQL, by the kind of their unit. */
import { leastOf, type Reach, reachOfColumn } from '../../charset/repertoire.js';
import { copyLayout, isCopyEnd, refuseEscapedFeed, splitCopy } from '../copy.js';
import type { Change, Layout, Piece } from '../format.js';
import { FormatError } from '../format-error.js';
import { bytesOf, endOfText, LF, lengthOfMark } from '../shared/ascii.js';
import { type FieldList, MovingPiece } from '../shared/piece.js';
import { splitSet } from './assignments.js';
import { createCsvRows, findCopyEnd } from './copy-rows.js';
import type { SqlMode } from './dialect.js';
import { findFixes } from './header.js';
import { createSqlLayout } from './sql-layout.js';
import type { ColumnTypes, OpenCopy, StatementCutter } from './statement-cutter.js';
import { splitOther, splitSimple, splitTuple } from './tuple.js';

/** Numbers for each tuple among the bounds. */
const BOUNDS = 3;

const COPY_AFTER = bytesOf('\\.\n');
const SEMICOLON_LF = bytesOf(';\n');

/** The table of a record, as statements name and describe it. */
type TablePart = Pick<OpenCopy, 'table' | 'qualified' | 'owner'> &
  Partial<Pick<OpenCopy, 'partitionedBy'>>;

/** Moves from piece to piece: an iterator takes less time than a generator in a generator. */
export class SqlPieces implements IterableIterator<Piece> {
  readonly #bytes: Buffer;
  readonly #cutter: StatementCutter;
  readonly #next: { record: number };
  readonly #piece: MovingPiece;
  readonly #layout: Layout;
  /** Places in the tuples of an INSERT that the cutter has passed, so that none is passed again. */
  readonly #bounds: number[] = [];
  readonly #tokens: number[] = [];
  #mode: SqlMode;
  /** Start of the next piece. */
  #start: number;
  /** True if U+FEFF at the start is a piece that comes first. */
  #isMarked: boolean;
  #copy: OpenCopy | null = null;
  #set: StatementCutter['set'];
  #columns: readonly string[] = [];
  #types: ColumnTypes | undefined;
  /** The rows of a COPY in CSV that are being read. */
  #rows: Iterator<Piece> | undefined;
  /** The position in the bounds of the next tuple; -1 outside of an INSERT. */
  #tuple = -1;
  /** Number of tuples that come after the last one. */
  #left = 0;
  /** End of the INSERT. */
  #end = 0;

  constructor(bytes: Buffer, cutter: StatementCutter, next: { record: number }) {
    this.#bytes = bytes;
    this.#cutter = cutter;
    this.#next = next;
    this.#piece = new MovingPiece((piece, fields) => this.#split(piece, fields));
    this.#mode = cutter.context;
    this.#layout = createSqlLayout(cutter.dialect, () => this.#mode);
    cutter.bounds = this.#bounds;
    cutter.tokens = this.#tokens;
    cutter.enter();
    this.#start = lengthOfMark(bytes, cutter.line, next.record);
    this.#isMarked = this.#start > 0;
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(): IteratorResult<Piece, undefined> {
    const value = this.#find();
    return value ? { value, done: false } : { value, done: true };
  }

  #find(): Piece | undefined {
    if (this.#rows) {
      const row = this.#rows.next();
      if (!row.done) return row.value;
      this.#rows = undefined;
    }
    if (this.#tuple !== -1) return this.#placeTuple();
    const cutter = this.#cutter;
    if (this.#isMarked) {
      this.#isMarked = false;
      return this.#piece.place('other', 0, this.#start, 0, cutter.line);
    }
    for (;;) {
      cutter.advance(this.#bytes, this.#start);
      if (this.#start >= this.#bytes.length) return undefined;
      this.#mode = cutter.context;
      const { copy } = cutter.context;
      // Rows that follow each other differ in their place alone.
      const isNext = copy !== null && copy === this.#copy && !copy.rows.isCsv;
      this.#copy = copy;
      if (!isNext) this.#reset();
      if (!copy) return this.#placeStatement();
      if (!isNext) this.#openRows(copy);
      const row = this.#placeRow(copy);
      if (row) return row;
    }
  }

  /** Resets the properties of the last piece. */
  #reset(): void {
    const piece = this.#piece;
    piece.table = undefined;
    piece.qualified = undefined;
    piece.owner = undefined;
    piece.partitionedBy = undefined;
    piece.before = undefined;
    piece.after = undefined;
    piece.settings = this.#cutter.settings;
    piece.fixes = undefined;
    piece.session = this.#cutter.catalogue.state.session;
    piece.reach = 'all';
    piece.isKeyless = false;
    piece.isAllText = false;
    piece.layout = this.#copy ? copyLayout : this.#layout;
    piece.shape = undefined;
  }

  #setTable({ table, qualified, owner, partitionedBy }: TablePart, types?: ColumnTypes): void {
    const piece = this.#piece;
    piece.table = table;
    piece.qualified = qualified;
    piece.owner = owner;
    piece.partitionedBy = partitionedBy;
    piece.reach = reachThrough(this.#cutter, types);
  }

  #setTypes(types: ColumnTypes | undefined): void {
    const { isKeyless, isAllText } = traitsOf(types);
    this.#piece.isKeyless = isKeyless;
    this.#piece.isAllText = !this.#cutter.dialect.hidesBinary && isAllText;
  }

  /** Sets what all rows of a COPY have in common. */
  #openRows(copy: OpenCopy): void {
    const piece = this.#piece;
    this.#columns = copy.columns;
    this.#types = copy.types;
    this.#setTable(copy, copy.types);
    this.#setTypes(copy.types);
    piece.before = bytesOf(copy.statement);
    piece.after = COPY_AFTER;
    piece.shape = shapeOf(copy, this.#mode, copy.rows.delimiter);
  }

  /** Places the next row of a COPY, or its end; undefined if there are no rows of CSV before that. */
  #placeRow(copy: OpenCopy): Piece | undefined {
    const piece = this.#piece;
    const cutter = this.#cutter;
    const bytes = this.#bytes;
    const start = this.#start;
    const feed = bytes.indexOf(LF, start);
    const end = feed === -1 ? bytes.length : feed + 1;
    const textEnd = endOfText(bytes, start, end);
    if (isCopyEnd(bytes, start, textEnd)) {
      cutter.learn({ copy: null });
      this.#start = end;
      piece.before = undefined;
      piece.after = undefined;
      return piece.place('other', start, end, 0, cutter.line);
    }
    if (copy.rows.isCsv) return this.#openCsv(copy);
    refuseEscapedFeed(bytes, start, textEnd, end, cutter.line);
    this.#start = end;
    return piece.place('record', start, end, this.#next.record++, cutter.line);
  }

  /** Places the start of a statement. */
  #placeStatement(): Piece {
    const piece = this.#piece;
    const cutter = this.#cutter;
    const start = this.#start;
    const end = cutter.pass(this.#bytes, start, true);
    this.#set = cutter.set;
    // Statements may have changed it.
    piece.settings = cutter.settings;
    piece.session = cutter.catalogue.state.session;
    if (cutter.unit === 'insert' && cutter.insert) return this.#openInsert(cutter.insert, end);
    this.#start = end;
    if (cutter.unit === 'set' && cutter.set) {
      this.#setTable(cutter.set, cutter.set.types);
      piece.fixes = insertBefore(start, cutter.missing);
      return piece.place('record', start, end, this.#next.record++, cutter.line);
    }
    if (cutter.fixes && cutter.unit === 'statement') {
      const sql = { bytes: this.#bytes, dialect: cutter.dialect, mode: this.#mode };
      piece.fixes = findFixes(sql, start, end);
    }
    return piece.place('other', start, end, 0, cutter.line);
  }

  /** Places the text of an INSERT before its tuples. */
  #openInsert(insert: NonNullable<StatementCutter['insert']>, end: number): Piece {
    const piece = this.#piece;
    const cutter = this.#cutter;
    const start = this.#start;
    this.#columns = insert.columns;
    this.#types = insert.types;
    this.#setTable(insert, insert.types);
    this.#setTypes(insert.types);
    piece.fixes = insertBefore(start, cutter.missing);
    piece.shape = shapeOf(insert, this.#mode);
    this.#start = cutter.startEnd;
    this.#tuple = 0;
    this.#left = cutter.tuples;
    this.#end = end;
    return piece.place('head', start, cutter.startEnd, 0, cutter.line);
  }

  /** Places the next tuple of an INSERT, or the text after the last one. */
  #placeTuple(): Piece {
    const piece = this.#piece;
    const cutter = this.#cutter;
    const bytes = this.#bytes;
    const start = this.#start;
    const bounds = this.#bounds;
    if (this.#tuple === bounds.length && this.#left > 0) {
      cutter.passMore(bytes, start, this.#mode);
      this.#tuple = 0;
    }
    const i = this.#tuple;
    if (piece.kind === 'head') {
      piece.fixes = undefined;
      piece.before = bytes.subarray(piece.start, start);
      piece.after = deriveAfter(bytes, cutter.tail, this.#end, this.#mode.delimiter);
    }
    if (i >= bounds.length) {
      piece.before = undefined;
      piece.after = undefined;
      this.#tuple = -1;
      this.#start = this.#end;
      cutter.advance(bytes, start);
      return piece.place('tail', start, this.#end, 0, cutter.line);
    }
    const own = bounds[i] as number;
    const close = bounds[i + 1] as number;
    this.#tuple = i + BOUNDS;
    this.#left--;
    this.#start = close;
    cutter.advance(bytes, own);
    piece.place('record', start, close, this.#next.record++, cutter.line);
    piece.own = own;
    return piece;
  }

  /** Places the first of the rows in CSV; undefined if there is none. */
  #openCsv(copy: OpenCopy): Piece | undefined {
    const start = this.#start;
    const end = findCopyEnd(this.#bytes, start, true);
    this.#start = end === -1 ? this.#bytes.length : end;
    const rows = this.#readCsv(this.#bytes.subarray(start, this.#start), start, copy);
    const first = rows.next();
    if (first.done) return undefined;
    this.#rows = rows;
    return first.value;
  }

  *#readCsv(rows: Buffer, start: number, copy: OpenCopy): Generator<Piece, void, undefined> {
    const cutter = this.#cutter;
    const format = createCsvRows(copy.rows, copy.columns);
    let { hasHeader } = copy.rows;
    let statement = bytesOf(copy.statement);
    let row: Piece;
    const piece = new MovingPiece((_, fields) => {
      for (const { start: from, end: to, kind, column, number } of row.fields) {
        fields.add(start + from, start + to, kind, column, number, false);
      }
      fields.declare(copy.types);
    });
    piece.table = copy.table;
    piece.qualified = copy.qualified;
    piece.owner = copy.owner;
    piece.partitionedBy = copy.partitionedBy;
    piece.settings = cutter.settings;
    piece.session = cutter.catalogue.state.session;
    piece.reach = reachThrough(cutter, copy.types);
    const state = { line: cutter.line, record: this.#next.record, context: null };
    for (row of format.createReader(state).read(rows)) {
      const { start: from, end: to, line } = row;
      piece.layout = row.layout;
      if (hasHeader) {
        hasHeader = false;
        cutter.endHeader(rows.subarray(0, to));
        statement = bytesOf(cutter.context.copy?.statement ?? '');
        yield piece.place('other', start + from, start + to, 0, line);
        continue;
      }
      piece.before = statement;
      piece.after = COPY_AFTER;
      yield piece.place('record', start + from, start + to, this.#next.record++, line);
    }
  }

  /** Finds the fields of a piece. */
  #split({ kind, start, own, end, line, table }: MovingPiece, fields: FieldList): void {
    const cutter = this.#cutter;
    const columns = this.#columns;
    const types = this.#types;
    const { assume } = cutter.options;
    const { dialect } = cutter;
    const sql = { bytes: this.#bytes, dialect, mode: this.#mode };
    if (kind === 'tail' && dialect.hidesBinary) {
      splitSet(sql, start, start, end, cutter.insert?.all, assume, fields);
    } else if (kind !== 'record') {
      // A line is a comment, or a command of the client.
      const catalogue = cutter.unit === 'line' ? undefined : cutter.catalogue;
      splitOther(sql, start, end, catalogue, assume, fields);
    } else if (this.#copy) {
      const { delimiter } = this.#copy.rows;
      splitCopy(sql.bytes, start, endOfText(sql.bytes, start, end), delimiter, columns, fields);
      fields.declare(types);
    } else if (this.#set) {
      const { types: of } = this.#set;
      splitSet(sql, own, own + this.#set.length, end, of, assume, fields);
    } else {
      const first = this.#bounds[this.#tuple - 1] as number;
      const isSimple = splitSimple(
        sql,
        own,
        end,
        this.#tokens,
        first,
        columns,
        types,
        assume,
        fields,
      );
      if (!isSimple) splitTuple(sql, own, end, columns, types, assume, fields);
      if (types && fields.last > columns.length && assume === undefined) {
        throw new FormatError(
          `row of ${fields.last} values does not match the columns of ${table} (${columns.length})`,
          line,
        );
      }
    }
  }
}

/** Returns the end of a separate INSERT, for any delimiter of the dump. */
function deriveAfter(bytes: Buffer, tail: number, end: number, delimiter: string): Uint8Array {
  if (delimiter === ';' && bytes[end - 1] === LF) return bytes.subarray(tail, end);
  const last = bytes.lastIndexOf(delimiter, end - 1, 'latin1');
  return Buffer.concat([bytes.subarray(tail, last), SEMICOLON_LF]);
}

/** Returns the change that inserts text before a piece; undefined if the text is empty. */
const insertBefore = (start: number, text: string): readonly Change[] | undefined =>
  text === '' ? undefined : [{ start, end: start, bytes: bytesOf(text) }];

/** The shape of tuples, or of the rows of a COPY; see {@link Piece.shape}. */
interface RowShape {
  readonly columns: readonly string[];
  readonly types: readonly unknown[] | undefined;
  readonly delimiter: number | undefined;
  readonly isStandard: boolean;
  readonly quotesNames: boolean;
}

const shapes = new WeakMap<object, RowShape>();

function shapeOf(
  statement: Pick<OpenCopy, 'columns' | 'types'>,
  { isStandard, quotesNames = false }: SqlMode,
  delimiter?: number,
): RowShape {
  const known = shapes.get(statement);
  if (known?.isStandard === isStandard && known.quotesNames === quotesNames) return known;
  // The line of a declaration decides nothing.
  const types = statement.types?.map((type) => type && { ...type, line: 0 });
  const shape = { columns: statement.columns, types, delimiter, isStandard, quotesNames };
  shapes.set(statement, shape);
  return shape;
}

/** Properties of every row that follow from the types of its columns. */
interface TypeTraits {
  readonly reach: Reach;
  readonly isKeyless: boolean;
  readonly isAllText: boolean;
}

const traits = new WeakMap<ColumnTypes, TypeTraits>();
const NO_TRAITS: TypeTraits = { reach: 'all', isKeyless: false, isAllText: false };

function traitsOf(types: ColumnTypes | undefined): TypeTraits {
  if (!types) return NO_TRAITS;
  let found = traits.get(types);
  if (!found) {
    const isKeyless = types.every((type) => type?.structure === undefined);
    const reach = leastOf(...types.map((type) => reachOfColumn(type?.charset)));
    found = { reach, isKeyless, isAllText: types.every((type) => type?.is === 'text') };
    traits.set(types, found);
  }
  return found;
}

/** Returns how a server stores the text in a row. Changed columns may be too short for any text. */
function reachThrough(
  { dialect, catalogue, options }: StatementCutter,
  types: ColumnTypes | undefined,
): Reach {
  const { charsets } = dialect;
  if (!charsets || options.fixesHeader) return charsets ? 'some' : 'all';
  return leastOf(charsets.reachOf(catalogue.state.session), traitsOf(types).reach);
}

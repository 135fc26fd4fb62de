/** Binary XML: manifests, layouts and any other XML of an APK. */
import type { Budget } from '../android/budget.js';
import { Cursor, readU2 } from '../android/cursor.js';
import {
  type Chunk,
  checkHeader,
  findChunk,
  type Reading,
  readChunks,
  Type,
  tellUnusual,
} from './chunk.js';
import { isSkippable, ResourceError, refuse } from './error.js';
import {
  hasString,
  type Reference,
  type ResourceKind,
  readValue,
  STRING,
  type XmlPlace,
} from './reference.js';
import { NO_STRING, type StringPool } from './string-pool.js';

const XML_HEADER = 8;
const NODE_HEADER = 16;

/** Least size of an attribute: three indices and a value. */
const ATTRIBUTE_SIZE = 20;

/** Size of an element before its attributes. */
const ELEMENT_SIZE = 20;

export interface XmlOptions extends Reading {
  readonly budget: Budget;
}

/** Yields the references to strings in binary XML. */
export class Xml {
  readonly #bytes: Uint8Array;
  readonly #chunk: Chunk;
  readonly #pool: StringPool;
  readonly #options: XmlOptions;

  constructor(bytes: Uint8Array, chunk: Chunk, pool: StringPool, options: XmlOptions) {
    this.#bytes = bytes;
    this.#chunk = chunk;
    this.#pool = pool;
    this.#options = options;
  }

  *references(): Generator<Reference, undefined> {
    const { start, body, end } = this.#chunk;
    const measure = (chunk: Chunk): number => measureNode(this.#bytes, chunk);
    for (const chunk of readChunks(this.#bytes, body, end, this.#options, measure)) {
      if (isNode(chunk)) yield* this.#guard(() => this.#node(chunk));
    }
    if (body - start !== XML_HEADER) this.#tellHeader(this.#chunk, XML_HEADER);
  }

  #tellHeader({ start, body }: Chunk, usual: number): void {
    tellUnusual(this.#options, start + 2, `a header of ${body - start} bytes usually has ${usual}`);
  }

  *#guard(open: () => Generator<Reference, undefined>): Generator<Reference, undefined> {
    try {
      yield* open();
    } catch (error) {
      if (!isSkippable(error)) throw error;
      this.#options.tell(error);
    }
  }

  *#node(chunk: Chunk): Generator<Reference, undefined> {
    checkHeader(chunk, NODE_HEADER);
    if (chunk.body - chunk.start !== NODE_HEADER) this.#tellHeader(chunk, NODE_HEADER);
    const head = this.#cursor(chunk.start + 8, chunk.body);
    const place: XmlPlace = { line: head.u4(), element: undefined, attribute: undefined };
    yield* this.#index('comment', head, place);
    const cursor = this.#cursor(chunk.body, chunk.end);
    if (chunk.type === Type.Text) yield* this.#index('text', cursor, place);
    else if (chunk.type === Type.StartElement) yield* this.#element(cursor, place);
    else {
      const isNamespace = chunk.type !== Type.EndElement;
      yield* this.#index('namespace', cursor, place);
      yield* this.#index(isNamespace ? 'namespace' : 'element', cursor, place);
    }
  }

  *#element(cursor: Cursor, { line }: XmlPlace): Generator<Reference, undefined> {
    const start = cursor.offset;
    cursor.skip(4);
    const element = this.#pool.textOf(cursor.u4());
    cursor.offset = start;
    const place: XmlPlace = { line, element, attribute: undefined };
    yield* this.#index('namespace', cursor, place);
    yield* this.#index('element', cursor, place);
    const { first, size, count } = this.#layOut(cursor, cursor.end - start);
    for (let i = 0; i < count; i++) {
      const at = start + first + i * size;
      yield* this.#guard(() => this.#attribute(this.#cursor(at, cursor.end), place));
    }
  }

  /** Reads the offset, the size and the number of the attributes. */
  #layOut(cursor: Cursor, room: number): Layout {
    const { offset } = cursor;
    const stated: Layout = { first: cursor.u2(), size: cursor.u2(), count: cursor.u2() };
    const { first, size, count } = stated;
    if (count === 0) return stated;
    const what = `attributes of ${size} bytes begin at ${first}`;
    const isLarge = first >= ELEMENT_SIZE && size >= ATTRIBUTE_SIZE;
    if (isLarge && first + size * count <= room) {
      const isUsual = first === ELEMENT_SIZE && size === ATTRIBUTE_SIZE;
      if (!isUsual) tellUnusual(this.#options, offset, what);
      return stated;
    }
    const fault = isLarge ? `${count} ${what}, and ${room} bytes are left` : what;
    this.#options.tell(new ResourceError('invalid-value', offset, fault));
    const most = Math.max(0, Math.floor((room - ELEMENT_SIZE) / ATTRIBUTE_SIZE));
    if (count <= most || !isLarge) {
      return { first: ELEMENT_SIZE, size: ATTRIBUTE_SIZE, count: Math.min(count, most) };
    }
    return { first, size, count: Math.max(0, Math.floor((room - first) / size)) };
  }

  *#attribute(cursor: Cursor, { line, element }: XmlPlace): Generator<Reference, undefined> {
    const start = cursor.offset;
    cursor.skip(4);
    const attribute = this.#pool.textOf(cursor.u4());
    cursor.offset = start;
    const place: XmlPlace = { line, element, attribute };
    yield* this.#index('namespace', cursor, place);
    yield* this.#index('attribute', cursor, place);
    yield* this.#index('value', cursor, place);
    try {
      readValue(cursor);
    } catch (error) {
      // Android ignores the size.
      if (!isSkippable(error)) throw error;
      this.#options.tell(error);
    }
    const value = this.#cursor(start + ATTRIBUTE_SIZE - 5, cursor.end);
    if (value.u1() === STRING) yield* this.#index('value', value, place);
  }

  /** Reads an index, which may be that of a missing string. */
  *#index(kind: ResourceKind, cursor: Cursor, xml: XmlPlace): Generator<Reference, undefined> {
    const { offset } = cursor;
    const index = cursor.u4();
    if (index === NO_STRING || !hasString(this.#pool, index, offset, this.#options.tell)) return;
    yield { kind, pool: this.#pool, index, offset, xml };
  }

  #cursor(offset: number, end: number): Cursor {
    return new Cursor(this.#bytes, refuse, this.#options.budget, offset, end);
  }
}

/** The attributes of an element: the offset of the first one, the size of each, and their number. */
interface Layout {
  readonly first: number;
  readonly size: number;
  readonly count: number;
}

/** Tells whether a chunk is a part of the document. */
export const isNode = ({ type }: Chunk): boolean =>
  type >= Type.StartNamespace && type <= Type.Text;

/** Sizes of the content of nodes after their header, except for elements. */
const contents: ReadonlyMap<number, number> = new Map([
  [Type.StartNamespace, 8],
  [Type.EndNamespace, 8],
  [Type.EndElement, 8],
  [Type.Text, 12],
]);

/** Returns the offset of the end of a node's content. */
function measureNode(bytes: Uint8Array, { type, body, end }: Chunk): number {
  const known = contents.get(type);
  if (known !== undefined) return body + known;
  if (type !== Type.StartElement) return findChunk(bytes, body, end);
  if (end - body < ELEMENT_SIZE) return end;
  const first = readU2(bytes, body + 8);
  const size = readU2(bytes, body + 10);
  const count = readU2(bytes, body + 12);
  if (count === 0) return body + ELEMENT_SIZE;
  return first < ELEMENT_SIZE || size < ATTRIBUTE_SIZE ? end : body + first + size * count;
}

/** Binary XML: manifests, layouts and any other XML of an APK. */
import type { Budget } from '../android/budget.js';
import { Cursor } from '../android/cursor.js';
import { type Chunk, checkHeader, readChunks, Type } from './chunk.js';
import { ResourceError, refuse, type Tell } from './error.js';
import {
  checkIndex,
  type Reference,
  type ResourceKind,
  readValue,
  type XmlPlace,
} from './reference.js';
import { NO_STRING, type StringPool } from './string-pool.js';

const NODE_HEADER = 16;

/** Least size of an attribute: three indices and a value. */
const ATTRIBUTE_SIZE = 20;

/** Size of an element before its attributes. */
const ELEMENT_SIZE = 20;

export interface XmlOptions {
  readonly tell: Tell;
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
    const { tell } = this.#options;
    for (const chunk of readChunks(this.#bytes, this.#chunk.body, this.#chunk.end, tell)) {
      if (chunk.type < Type.StartNamespace || chunk.type > Type.Text) continue;
      try {
        yield* this.#node(chunk);
      } catch (error) {
        if (!(error instanceof ResourceError) || error.reason === 'overlap') throw error;
        tell(error);
      }
    }
  }

  *#node(chunk: Chunk): Generator<Reference, undefined> {
    checkHeader(chunk, NODE_HEADER);
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
    const first = cursor.u2();
    const size = cursor.u2();
    const count = cursor.u2();
    if (count > 0 && (first < ELEMENT_SIZE || size < ATTRIBUTE_SIZE)) {
      refuse('invalid-value', start + 8, `attributes of ${size} bytes begin at ${first}`);
    }
    for (let i = 0; i < count; i++) {
      yield* this.#attribute(this.#cursor(start + first + i * size, cursor.end), place);
    }
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
    const value = readValue(cursor);
    if (value.isString) {
      yield* this.#index('value', this.#cursor(value.offset, cursor.end), place);
    }
  }

  /** Reads an index, which may be that of a missing string. */
  *#index(kind: ResourceKind, cursor: Cursor, xml: XmlPlace): Generator<Reference, undefined> {
    const { offset } = cursor;
    const index = cursor.u4();
    if (index === NO_STRING) return;
    checkIndex(this.#pool, index, offset);
    yield { kind, pool: this.#pool, index, offset, xml };
  }

  #cursor(offset: number, end: number): Cursor {
    return new Cursor(this.#bytes, refuse, this.#options.budget, offset, end);
  }
}

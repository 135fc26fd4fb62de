/** Which annotation a place is in, and the way to it. */

import { Reader } from '../pool/reader.js';
import type { Spelling } from '../pool/spelling.js';
import { ValueReader } from '../walk/annotations.js';
import { Places } from '../walk/places.js';
import type { Structure } from '../walk/structure.js';
import { Walk } from '../walk/walk.js';
import { Route } from './route.js';
import type { UseAnnotation } from './string-use.js';

/** Follows one annotation after another to its values. */
export class AnnotationTracker {
  readonly #walk: Walk;
  readonly #spelling: Spelling;
  readonly #route: Route;
  readonly #ownType: string;
  #values: ValueReader;
  #type = '';

  /**
   * @param ownType - The descriptor of the class, to which defaults of elements belong.
   */
  constructor({ pool }: Structure, spelling: Spelling, ownType: string) {
    // What is malformed was reported before: a name may be the last that is read before a fault.
    this.#walk = new Walk(new Reader(pool.bytes), pool, new Places(0));
    this.#walk.lenient = () => undefined;
    this.#values = new ValueReader(this.#walk, this.#walk.nesting);
    this.#spelling = spelling;
    this.#route = new Route(this.#walk.nesting, spelling);
    this.#ownType = ownType;
  }

  /**
   * Begins with an annotation, or with a default.
   *
   * @param element - The index of the name of the element that has the default, or -1.
   */
  start(offset: number, element: number): void {
    this.#walk.reader.offset = offset;
    this.#values = new ValueReader(this.#walk, this.#walk.nesting);
    if (element >= 0) {
      this.#values.openElement(element);
      this.#type = this.#ownType;
      return;
    }
    const type = this.#values.openAnnotation();
    this.#type = type === 0 ? '' : this.#spelling.textOf(type);
  }

  /** Tells of the value at an offset, which may not be before that of the last call. */
  tell(offset: number): UseAnnotation {
    this.#walk.try(({ reader }) => {
      while (reader.offset <= offset && this.#values.next());
    });
    return { type: this.#type, path: this.#route.spell(this.#values.depth) };
  }
}

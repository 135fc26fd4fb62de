/** The annotation that contains a place, and the path to it. */

import { Reader } from '../pool/reader.js';
import type { Spelling } from '../pool/spelling.js';
import { ValueReader } from '../walk/annotations.js';
import { Places } from '../walk/places.js';
import type { Structure } from '../walk/structure.js';
import { Walk } from '../walk/walk.js';
import { Route } from './route.js';
import type { UseAnnotation } from './string-use.js';

/** Follows successive annotations to their values. */
export class AnnotationTracker {
  readonly #walk: Walk;
  readonly #spelling: Spelling;
  readonly #route: Route;
  readonly #ownType: string;
  #values: ValueReader;
  #type = '';

  /**
   * @param ownType - The descriptor of the class, which contains the defaults of elements.
   */
  constructor({ pool }: Structure, spelling: Spelling, ownType: string) {
    // Errors were reported before: a name may be the last item before one.
    this.#walk = new Walk(new Reader(pool.bytes), pool, new Places(0));
    this.#walk.lenient = () => undefined;
    this.#values = new ValueReader(this.#walk, this.#walk.nesting);
    this.#spelling = spelling;
    this.#route = new Route(this.#walk.nesting, spelling);
    this.#ownType = ownType;
  }

  /**
   * Starts with an annotation, or with a default.
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

  /** Describes the value at an offset. Offsets must not decrease. */
  tell(offset: number): UseAnnotation {
    this.#walk.try(({ reader }) => {
      while (reader.offset <= offset && this.#values.next());
    });
    return { type: this.#type, path: this.#route.spell(this.#values.depth) };
  }
}

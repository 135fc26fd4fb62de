/** References to `CONSTANT_String` outside of code. */
import { type KindSet, setOf } from '../kind.js';
import { Tag, type TagSet, tagSet } from '../pool/tag.js';
import { Way } from './places.js';
import type { Walk } from './walk.js';

/** Reads the index of a constant. If it refers to a `CONSTANT_String`, the place has the given kind. */
export function readLoad(walk: Walk, tags: TagSet, kind: KindSet): number {
  const { pool, places, reader } = walk;
  const { offset } = reader;
  const index = walk.constant(tags);
  if (pool.tags[index] === Tag.String) {
    places.load(index, offset, Way.Wide);
    places.settle(kind, pool.reference(index));
  }
  return index;
}

const literal = setOf('literal');
const values = tagSet('Integer', 'Float', 'Long', 'Double', 'String');

/** The attribute `ConstantValue`. */
export function constantValue(walk: Walk): void {
  readLoad(walk, values, literal);
}

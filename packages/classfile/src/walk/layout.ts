/**
 * A small language for the structures of class files. A layout reads a structure from beginning to end and
 * records its references to strings. Layouts are composed like the tables of the specification.
 */
import { type StringKind, setOf } from '../kind.js';
import { type TagName, tagSet } from '../pool/tag.js';
import type { Walk } from './walk.js';

export type Layout = (walk: Walk) => void;

/** Bytes without references to strings. */
export const bytes =
  (count: number): Layout =>
  ({ reader }) =>
    reader.skip(count);

/** `u2`: refers to a Utf8, and gives it a kind. */
export const utf8 = (kind: StringKind): Layout => {
  const set = setOf(kind);
  return (walk) => walk.utf8(set);
};

/** `u2`: refers to a constant of one of the tags. */
export const constant = (...tags: TagName[]): Layout => {
  const set = tagSet(...tags);
  return (walk) => walk.constant(set);
};

/** `u2`: an index as in the layout, or 0 for none. */
export const optional =
  (index: Layout): Layout =>
  (walk) => {
    if (!walk.reader.skipZero()) index(walk);
  };

/** Layouts one after another. */
export const sequence =
  (...parts: Layout[]): Layout =>
  (walk) => {
    for (const part of parts) part(walk);
  };

/** A count in `u2`, and as many repetitions of the parts. */
export const list = (...parts: Layout[]): Layout => {
  const item = sequence(...parts);
  return (walk) => {
    for (let left = walk.reader.u2(); left > 0; left--) item(walk);
  };
};

/** A count in `u1`, and as many repetitions of the parts. */
export const shortList = (...parts: Layout[]): Layout => {
  const item = sequence(...parts);
  return (walk) => {
    for (let left = walk.reader.u1(); left > 0; left--) item(walk);
  };
};

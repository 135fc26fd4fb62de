import { encode } from '@utf8/strict';
import { latinOf } from './syntax.js';

/** The policies for keys of one JSON object that a repair makes equal. */
export const equalKeyPolicies = ['fail', 'keep'] as const;

/** A policy for keys of one JSON object that a repair makes equal. */
export type EqualKeyPolicy = (typeof equalKeyPolicies)[number];

/** A key of an object, without its quotes and escapes. */
export interface ObjectKey {
  /** The number of the object, which its keys share. */
  readonly owner: number;
  /** The bytes before the repair. */
  readonly before: Uint8Array;
  /** The bytes after the repair: the very same ones if it does not change the key. */
  readonly after: Uint8Array;
}

/**
 * Finds keys that a repair makes equal to an earlier key of the same object. Keys that were equal before do not
 * count.
 *
 * @returns Their indices.
 */
export function findEqualKeys(keys: readonly ObjectKey[]): number[] {
  const objects = new Map<string, EqualKeys>();
  const found: number[] = [];
  for (const [i, { owner, before, after }] of keys.entries()) {
    const text = latinOf(before);
    const isChanged = before !== after;
    const name = `${owner} ${canonize(latinOf(after))}`;
    let others = objects.get(name);
    if (!others) {
      others = { all: new Set(), changed: new Set() };
      objects.set(name, others);
    }
    const { all, changed } = others;
    const rivals = isChanged ? all : changed;
    if (rivals.size > (rivals.has(text) ? 1 : 0)) found.push(i);
    all.add(text);
    if (isChanged) changed.add(text);
  }
  return found;
}

/** Keys that a repair makes equal, as they were before: all of them, and those that it changes. */
interface EqualKeys {
  readonly all: Set<string>;
  readonly changed: Set<string>;
}

/** Writes pairs and U+0000 in one form: an escape means UTF-8 in every encoding. */
const canonize = (latin: string): string =>
  latin
    .replace(/\xed([\xa0-\xaf])([\x80-\xbf])\xed([\xb0-\xbf])([\x80-\xbf])/g, (pair) =>
      latinOf(encode(decodePair(pair))),
    )
    .replaceAll('\xc0\x80', '\0');

/** Decodes two surrogates in three bytes each. */
function decodePair(latin: string): string {
  const unit = (i: number): number =>
    0xd000 | ((latin.charCodeAt(i + 1) & 0b11_1111) << 6) | (latin.charCodeAt(i + 2) & 0b11_1111);
  return String.fromCharCode(unit(0), unit(3));
}

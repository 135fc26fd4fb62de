/**
 * Maps as plain data, for threads and checkpoints. Versions of a map share their common parts, so that
 * a statement among thousands changes a few small arrays.
 */
import { createHash } from 'node:crypto';

/**
 * Entries by the digits of a hash of their keys, as far as it takes to tell them apart; none if it is empty.
 * To copy an array takes 50 ns, an object with the same keys 100 times as long (Node 20).
 */
export type Trie<Value> = readonly (Trie<Value> | TrieEntry<Value> | null)[];

interface TrieEntry<Value> {
  readonly key: string;
  readonly value: Value;
}

/** The map without entries. */
export const EMPTY: Trie<never> = [];

const WIDTH = 16;

/** Hashes of the last keys: a statement needs each several times. */
const hashes = new Map<string, Buffer>();

const MOST_HASHES = 1024;

/** Hashes, so that no file decides how deep a map is. */
function hash(key: string): Buffer {
  let known = hashes.get(key);
  if (known) return known;
  if (hashes.size === MOST_HASHES) hashes.clear();
  known = createHash('sha256').update(key).digest();
  hashes.set(key, known);
  return known;
}

/** Returns the half of a byte of a hash that decides at a depth. */
const digitAt = (hash: Buffer, depth: number): number =>
  ((hash[depth >> 1] as number) >> (depth % 2 === 0 ? 4 : 0)) & 0b1111;

const isInner = <Value>(node: Trie<Value> | TrieEntry<Value>): node is Trie<Value> =>
  Array.isArray(node);

/** Returns the value of a key; undefined if there is none. */
export function getIn<Value>(trie: Trie<Value>, key: string): Value | undefined {
  if (trie.length === 0) return undefined;
  const digits = hash(key);
  let node: Trie<Value> | TrieEntry<Value> | null | undefined = trie;
  for (let depth = 0; node && isInner(node); depth++) node = node[digitAt(digits, depth)];
  return node?.key === key ? node.value : undefined;
}

/** Returns a map with a value, or, if that is undefined, without its key. */
export const setIn = <Value>(
  trie: Trie<Value>,
  key: string,
  value: Value | undefined,
): Trie<Value> => change(trie, key, value, hash(key), 0);

function change<Value>(
  trie: Trie<Value>,
  key: string,
  value: Value | undefined,
  digits: Buffer,
  depth: number,
): Trie<Value> {
  const digit = digitAt(digits, depth);
  const node = trie[digit] ?? null;
  let next: Trie<Value> | TrieEntry<Value> | null = value === undefined ? null : { key, value };
  if (node && isInner(node)) {
    const inner = change(node, key, value, digits, depth + 1);
    next = inner.length === 0 ? null : inner;
  } else if (node && node.key !== key) {
    if (value === undefined) return trie;
    const inner = new Array(WIDTH).fill(null);
    inner[digitAt(hash(node.key), depth + 1)] = node;
    next = change<Value>(inner, key, value, digits, depth + 1);
  }
  const copy = trie.length === 0 ? new Array(WIDTH).fill(null) : trie.slice();
  copy[digit] = next;
  return next || copy.some((each) => each !== null) ? copy : EMPTY;
}

/** Yields all entries, in the order of their hashes. */
export function* entriesOf<Value>(trie: Trie<Value>): Generator<TrieEntry<Value>, void> {
  for (const node of trie) {
    if (node && isInner(node)) yield* entriesOf(node);
    else if (node) yield node;
  }
}

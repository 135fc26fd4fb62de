/** The difference of two JSON values, so that an index does not repeat equal parts. */

/**
 * Change that makes one value from another:
 *
 * - `[value]`: replaces it
 * - `[length, values]`: keeps this many elements of an array, and adds others
 * - `{ key: delta }`: changes these keys of an object, or elements of an array; `null` removes a key
 */
export type Delta = [unknown] | [number, unknown[]] | { [key: string]: Delta | null };

/**
 * Finds out how to make one JSON value from another; undefined if they are equal. In an object,
 * undefined is the same as no such key.
 */
export function findDelta(before: unknown, after: unknown): Delta | undefined {
  if (Object.is(before, after)) return undefined;
  if (Array.isArray(before) && Array.isArray(after)) {
    return findElements(before, after);
  }
  if (!isObject(before) || !isObject(after)) return [after];
  // By entries: a key may be `__proto__`.
  const delta: [string, Delta | null][] = [];
  for (const key of Object.keys({ ...before, ...after })) {
    const [old, value] = [own(before, key), own(after, key)];
    const each = value === undefined && old !== undefined ? null : findDelta(old, value);
    if (each !== undefined) delta.push([key, each]);
  }
  return delta.length > 0 ? Object.fromEntries(delta) : undefined;
}

function findElements(before: readonly unknown[], after: readonly unknown[]): Delta | undefined {
  const { length } = before;
  if (after.length < length) return [after];
  const delta: [string, Delta][] = [];
  for (const [i, each] of before.entries()) {
    const change = findDelta(each, after[i]);
    if (change) delta.push([String(i), change]);
  }
  if (delta.length === 0)
    return after.length === length ? undefined : [length, after.slice(length)];
  return after.length === length ? Object.fromEntries(delta) : [after];
}

/** Makes `after` of {@link findDelta} from `before`. */
export function applyDelta(before: unknown, delta: Delta): unknown {
  if (Array.isArray(delta)) {
    return delta.length === 1
      ? delta[0]
      : [...(before as unknown[]).slice(0, delta[0]), ...delta[1]];
  }
  if (Array.isArray(before)) {
    const after = before.slice();
    for (const [i, each] of Object.entries(delta))
      after[Number(i)] = applyDelta(after[Number(i)], each as Delta);
    return after;
  }
  const after = new Map(Object.entries(before as object));
  for (const [key, each] of Object.entries(delta)) {
    if (each === null) after.delete(key);
    else after.set(key, applyDelta(after.get(key), each));
  }
  return Object.fromEntries(after);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = (object: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

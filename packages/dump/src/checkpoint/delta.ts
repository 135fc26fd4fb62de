/** The difference of two JSON values, so that a journal need not repeat what stays the same. */

/** Any JSON value; undefined in an object is the same as no such key. */
export type Json = unknown;

/**
 * How to make one value from another:
 *
 * - `[value]`: replaces it
 * - `[length, values]`: keeps so many elements of an array, and adds others
 * - `{ key: delta }`: changes these keys of an object; `null` removes one
 */
export type Delta = [Json] | [number, Json[]] | { [key: string]: Delta | null };

/** Finds out how to make `after` from `before`; undefined if they are equal. */
export function findDelta(before: Json, after: Json): Delta | undefined {
  if (Object.is(before, after)) return undefined;
  if (Array.isArray(before) && Array.isArray(after)) {
    const isGrown =
      after.length >= before.length && before.every((each, i) => !findDelta(each, after[i]));
    if (!isGrown) return [after];
    return after.length === before.length ? undefined : [before.length, after.slice(before.length)];
  }
  if (!isObject(before) || !isObject(after)) return [after];
  // By entries: a key may be `__proto__`.
  const delta: [string, Delta | null][] = [];
  for (const [key, value] of Object.entries(after)) {
    const each = value === undefined ? undefined : findDelta(own(before, key), value);
    if (each) delta.push([key, each]);
  }
  for (const key of Object.keys(before)) {
    if (own(after, key) === undefined) delta.push([key, null]);
  }
  return delta.length > 0 ? Object.fromEntries(delta) : undefined;
}

/** Makes `after` of {@link findDelta} from `before`. */
export function applyDelta(before: Json, delta: Delta): Json {
  if (Array.isArray(delta)) {
    return delta.length === 1 ? delta[0] : [...(before as Json[]).slice(0, delta[0]), ...delta[1]];
  }
  const after = new Map(Object.entries(before as object));
  for (const [key, each] of Object.entries(delta)) {
    if (each === null) after.delete(key);
    else after.set(key, applyDelta(after.get(key), each));
  }
  return Object.fromEntries(after);
}

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = (object: Record<string, Json>, key: string): Json =>
  Object.hasOwn(object, key) ? object[key] : undefined;

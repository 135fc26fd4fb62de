/** Additions that other code may make to the prototypes of the language before ours runs, or while it does. */
import type { Change } from './realm.js';

/** Names of properties of `Object.prototype` that change the language itself, or options by their contract. */
const exempt: ReadonlySet<string> = new Set([
  // Property descriptors that are written as literals are read with inherited properties.
  ...['get', 'set', 'value', 'writable', 'enumerable', 'configurable'],
  // Options are read as the platform's coders read theirs: with what an object inherits.
  ...['errors', 'bom', 'fatal', 'ignoreBOM', 'stream'],
  // Methods that protocols of the language look up.
  ...['return', 'throw'],
  // A module namespace and a string have these of their own, or they are Object.prototype's.
  ...Object.getOwnPropertyNames(Object.prototype),
]);

/** Finds every name that could be one of a property, in a script. */
export function findNames(script: string): readonly string[] {
  const names = new Set(script.match(/[A-Za-z_$][\w$]*/g));
  return [...names].filter((name) => !exempt.has(name)).sort();
}

/** Gives `Object.prototype`, from which all else inherits, many properties of one value. */
export const addToObject =
  (names: readonly PropertyKey[], value: unknown): Change =>
  (globals) =>
    add(globals.Object.prototype, names, value);

/** Gives `Array.prototype` properties. */
export const addToArray =
  (names: readonly PropertyKey[], value: unknown): Change =>
  (globals) =>
    add(globals.Array.prototype, names, value);

function add(object: object, names: readonly PropertyKey[], value: unknown): () => void {
  const added = names.filter((name) => !Object.hasOwn(object, name));
  for (const name of added) {
    Object.defineProperty(object, name, { value, writable: true, configurable: true });
  }
  return () => {
    for (const name of added) Reflect.deleteProperty(object, name);
  };
}

/** Rules of Web IDL for the shape of classes and the conversion of arguments. */
import { refuse } from '../argument/check.js';

/**
 * Gives a class the shape of an interface: a name that minifiers keep, a tag, and enumerable members.
 *
 * @see https://webidl.spec.whatwg.org/#js-interfaces
 */
export function defineInterface<Class extends { readonly prototype: object }>(
  name: string,
  implementation: Class,
): Class {
  const { prototype } = implementation;
  const define = (target: object, key: PropertyKey, descriptor: PropertyDescriptor): unknown =>
    // Without a prototype, to which a program may have added properties.
    Object.defineProperty(target, key, Object.setPrototypeOf(descriptor, null));
  define(implementation, 'name', { value: name });
  for (const member of Object.getOwnPropertyNames(prototype)) {
    if (member !== 'constructor') define(prototype, member, { enumerable: true });
  }
  define(prototype, Symbol.toStringTag, { configurable: true, value: name });
  return implementation;
}

/**
 * Converts options to a dictionary: null is an empty one, and a function is an object.
 *
 * @see https://webidl.spec.whatwg.org/#js-dictionary
 */
export function toDictionary<Options extends object>(
  options: Options | null = null,
): Partial<Options> {
  const type = typeof options;
  if (type !== 'object' && type !== 'function') refuse('options', options);
  return options ?? {};
}

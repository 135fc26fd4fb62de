/**
 * Input as callers pass it. Arrays are recognized by their internal slots, never by their properties: other
 * realms have other classes, and an own property can be wrong.
 */
import { refuse } from './check.js';

/** Input: any buffer, or any view of one, Node's `Buffer` included. */
export type Bytes = ArrayBuffer | SharedArrayBuffer | ArrayBufferView;

/** Bytes that own their memory: `Uint8Array<ArrayBuffer>`, and `Uint8Array` for TypeScript before 5.7. */
export type OwnBytes = ReturnType<Uint8ArrayConstructor['of']>;

type Getter<Result> = (this: unknown) => Result;

const getterOf = (prototype: object, name: string): Getter<never> =>
  Object.getOwnPropertyDescriptor(prototype, name)?.get as Getter<never>;

// As a function, or bundlers keep it even if nothing needs it.
const arrays = /* @__PURE__ */ (() => Object.getPrototypeOf(Uint8Array.prototype))();
const getLength: Getter<number> = /* @__PURE__ */ getterOf(arrays, 'length');
const getBuffer: Getter<ArrayBufferLike> = /* @__PURE__ */ getterOf(arrays, 'buffer');
const getOffset: Getter<number> = /* @__PURE__ */ getterOf(arrays, 'byteOffset');
/** Returns the tag of a typed array of any realm; undefined for anything else. */
const tagOf = (value: unknown): string | undefined =>
  Reflect.get(arrays, Symbol.toStringTag, value);

/** Returns the length of a `Uint8Array` in bytes, independent of its own properties. */
export const lengthOf = (array: Uint8Array): number => getLength.call(array);

/** Returns the memory of a `Uint8Array`. */
export const bufferOf = (array: Uint8Array): ArrayBufferLike => getBuffer.call(array);

/** Returns the index in its memory at which a `Uint8Array` begins, in bytes. */
export const offsetOf = (array: Uint8Array): number => getOffset.call(array);

/** Returns `array[from..to)` as a plain `Uint8Array` of the same memory. */
export const viewPart = (array: Uint8Array, from: number, to: number): Uint8Array =>
  new Uint8Array(bufferOf(array), offsetOf(array) + from, to - from);

/** Tells whether a value is a `Uint8Array` of any realm; `Buffer` is one. */
export const isUint8Array = (value: unknown): value is Uint8Array =>
  value instanceof Uint8Array || tagOf(value) === 'Uint8Array';

/**
 * Tells whether an input is a `Uint8Array` of memory that no other thread can write to, so that it may be
 * read twice. For speed, arrays of other realms count as not stable.
 */
export const isStable = (bytes: Bytes): bytes is Uint8Array =>
  bytes instanceof Uint8Array && bufferOf(bytes) instanceof ArrayBuffer;

/**
 * Returns the input as a plain `Uint8Array`. Memory that another thread can write to is copied first, so that
 * the result comes from the validated bytes.
 *
 * @param bytes - Any buffer, or any view of one.
 * @returns A view of the same memory, or a copy if it is shared.
 * @throws TypeError if the input is neither a buffer nor a view of one.
 * @example
 * ```ts
 * import { toUint8Array } from '@utf8/core';
 *
 * toUint8Array(new DataView(Uint8Array.of(1, 2, 3).buffer, 1)); // => Uint8Array.of(2, 3)
 * ```
 */
export function toUint8Array(bytes: Bytes): Uint8Array {
  const view = viewOf(bytes);
  // Memory of another realm is copied too: it cannot be told from shared memory here.
  return view.buffer instanceof ArrayBuffer ? view : new Uint8Array(view);
}

/** Returns the memory of an input as a plain `Uint8Array`, shared or not. Detached memory is empty. */
export function viewOf(bytes: Bytes): Uint8Array {
  const view = ArrayBuffer.isView(bytes) ? bytes : wrap(bytes);
  const prototype = tagOf(view) ? arrays : DataView.prototype;
  const slot = (name: string): never => Reflect.get(prototype, name, view) as never;
  try {
    return new Uint8Array(slot('buffer'), slot('byteOffset'), slot('byteLength'));
  } catch {
    return new Uint8Array();
  }
}

/** Creates a view of a buffer of any realm. */
function wrap(buffer: ArrayBuffer | SharedArrayBuffer): ArrayBufferView {
  try {
    return new DataView(buffer);
  } catch {
    return isBuffer(buffer) ? new Uint8Array() : refuse('a buffer or a view', buffer);
  }
}

/** Tells whether a value is an `ArrayBuffer` of any realm, even a detached one. */
function isBuffer(value: unknown): boolean {
  try {
    Reflect.get(ArrayBuffer.prototype, 'byteLength', value);
    return true;
  } catch {
    return false;
  }
}

/** Input as a user has it: any buffer, or any view of one, Node's `Buffer` included. */
export type Bytes = ArrayBuffer | SharedArrayBuffer | ArrayBufferView;

/**
 * The input as a plain `Uint8Array`. Memory that another thread can write to is copied first, so that
 * what is validated is what is returned.
 *
 * @param bytes - Any buffer, or any view of one.
 * @returns The same memory, or a copy where it is shared.
 * @throws TypeError where the input is no buffer and no view of one.
 * @example
 * ```ts
 * import { toUint8Array } from '@utf8/core';
 *
 * toUint8Array(new DataView(Uint8Array.of(1, 2, 3).buffer, 1)); // => Uint8Array.of(2, 3)
 * ```
 */
export function toUint8Array(bytes: Bytes): Uint8Array {
  // The plain case first: asking for a tag costs 60 ns.
  if (bytes instanceof Uint8Array && bytes.constructor === Uint8Array) {
    if (bytes.buffer instanceof ArrayBuffer) return bytes;
  }
  // By tag and not by instanceof: buffers of other realms (frames, vm contexts) are buffers too.
  const isView = ArrayBuffer.isView(bytes);
  const buffer = isView ? bytes.buffer : bytes;
  const tag = tagOf(buffer);
  const isShared = tag === 'SharedArrayBuffer';
  if (!isShared && tag !== 'ArrayBuffer') {
    refuse('a buffer or a view of one', bytes);
  }
  const view = new Uint8Array(buffer, isView ? bytes.byteOffset : 0, bytes.byteLength);
  return isShared ? new Uint8Array(view) : view;
}

const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** Checks that a text argument is a string. */
export function checkText(text: string): void {
  if (typeof text !== 'string') refuse('a string', text);
}

/** Says what an argument should have been. */
export function refuse(expected: string, value: unknown): never {
  throw new TypeError(`Expected ${expected}, but got ${describe(value)}.`);
}

/** Names what a caller passed, for an error message. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object') return `the ${typeof value} ${String(value).slice(0, 40)}`;
  return `an object of type ${tagOf(value)}`;
}

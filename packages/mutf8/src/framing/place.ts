/** Checks the place of a frame before it is read or written. */
import type { Bytes } from '@utf8/core';
import { isUint8Array, lengthOf, viewOf } from '@utf8/core/parts';
import { count, FrameError } from './error.js';

/** Arrays of the same memory as views that frames were read from: 70 ns to make, 7 to find (Node 20). */
const arrays = new WeakMap<ArrayBufferView, Uint8Array>();

/**
 * Returns the input as an array of the same memory. Shared memory is not copied: only the bytes of a frame
 * are.
 */
export function arrayOf(bytes: Bytes): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes;
  if (ArrayBuffer.isView(bytes)) {
    let array = arrays.get(bytes);
    // The view may follow a buffer that grows.
    if (array?.length !== bytes.byteLength) {
      array = viewOf(bytes);
      arrays.set(bytes, array);
    }
    return array;
  }
  return viewOf(bytes);
}

/** Checks a target. */
export function checkTarget(target: Uint8Array): void {
  if (!isUint8Array(target)) throw new TypeError('The target of a frame is a Uint8Array.');
}

/** Checks the offset of a frame. */
export function checkOffset(offset: number): void {
  if (Number.isInteger(offset) && offset >= 0) return;
  throw new RangeError(
    `An offset is a whole number of bytes from 0 on, but got ${String(offset)}.`,
  );
}

/** Writes a whole frame into a target, or throws. */
export function place(frame: Uint8Array, target: Uint8Array, offset: number): number {
  checkTarget(target);
  checkOffset(offset);
  const next = offset + frame.length;
  const missing = next - lengthOf(target);
  if (missing > 0) {
    throw new FrameError(
      `The frame takes ${count(frame.length, 'byte')}, and at byte ${offset} the target has room for ${missing} fewer.`,
      offset,
      missing,
    );
  }
  Uint8Array.prototype.set.call(target, frame, offset);
  return next;
}

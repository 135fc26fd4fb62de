import type { Bytes } from '@utf8/core';

/**
 * The input as a plain `Uint8Array`. Memory that another thread can write to is copied first, so that
 * what is counted is what is described.
 *
 * @throws TypeError where the input is no buffer and no view of one.
 */
export function toUint8Array(bytes: Bytes): Uint8Array {
  if (ArrayBuffer.isView(bytes)) {
    const { buffer, byteOffset, byteLength } = bytes;
    const view = new Uint8Array(buffer, byteOffset, byteLength);
    return tag(buffer) === 'SharedArrayBuffer' ? new Uint8Array(view) : view;
  }
  if (tag(bytes) === 'ArrayBuffer') return new Uint8Array(bytes);
  if (tag(bytes) === 'SharedArrayBuffer') return new Uint8Array(new Uint8Array(bytes));
  throw new TypeError(
    `Expected an ArrayBuffer, a SharedArrayBuffer or a view of one, but got ${tag(bytes)}.`,
  );
}

/** By tag and not by instanceof: buffers of other realms (frames, vm contexts) are buffers too. */
const tag = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** Bytes as upper-case hex, separated by spaces. */
export function formatBytes(bytes: Iterable<number>): string {
  return Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');
}

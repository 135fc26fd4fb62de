/**
 * Encodes, decodes and concatenates as `@utf8/wtf8` does, without WebAssembly: smaller and slower, with the same results.
 *
 * @packageDocumentation
 */
import type { Bytes, OwnBytes } from '@utf8/core';
import { createConcat } from './concat.js';
import { decodeCodePoints, encodeCodePoints, findFault } from './generated/lite.js';

export * from './generated/lite.js';

export const concat: (a: Bytes, b: Bytes) => OwnBytes = /* @__PURE__ */ createConcat({
  decodeCodePoints,
  encodeCodePoints,
  findFault,
});

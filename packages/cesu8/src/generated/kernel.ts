// Generated from grammar.ts by `npm run generate`; a test fails if the two differ.
import type { Kernel } from '@utf8/core/internal';
import { createKernel } from '@utf8/simd';
import { wasm } from './wasm.js';

export const kernel: Kernel = /* @__PURE__ */ createKernel(wasm, {
  firstAscii: 0x00,
  isUtf8: false,
  readsUtf8: false,
  writesUtf8: false,
});

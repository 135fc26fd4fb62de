// Generated from grammar.ts by `npm run generate`; a test fails if the two differ.
import { Kernel } from '@utf8/core/parts';
import { wasm } from './wasm.js';

export const kernel: Kernel = /* @__PURE__ */ new Kernel(wasm, {
  firstAscii: 0x00,
  isUtf8: false,
  readsUtf8: true,
  writesUtf8: true,
  convertsUtf8: false,
});

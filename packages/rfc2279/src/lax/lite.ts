/**
 * Encodes and decodes as `@utf8/rfc2279/lax` does, without WebAssembly: smaller and slower, with the same results.
 *
 * @packageDocumentation
 */
export * from '../generated/lax/lite.js';
export { readNumber, writeNumber } from './number.js';

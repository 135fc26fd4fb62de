/**
 * Encodes and decodes WTF-8, and concatenates it: functions, coders and streams, to be imported one by one.
 *
 * @packageDocumentation
 */
export { concat } from './concat.js';
export * from './generated/index.js';

/**
 * Encodes and decodes numbers of 31 bits in the scheme of RFC 2279, and of 36 bits as FLAC codes them: functions,
 * coders and streams, to be imported one by one.
 *
 * @packageDocumentation
 */
export * from '../generated/lax/index.js';
export { type CodedNumber, readNumber, writeNumber } from './number.js';

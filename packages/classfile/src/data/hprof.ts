/**
 * Heap dumps of HotSpot and ART: a header, and records with a tag and a length.
 *
 * @see hprof_b_spec.h and heapDumper.cpp of OpenJDK
 */
import { countBytes } from '../pool/reader.js';
import { type Context, readText, type StringSteps } from './reader.js';

/** The record of a string: an ID, and Modified UTF-8 without a length. */
const UTF8 = 0x01;
const RECORD_LENGTH = 9;

/** The tags of records. Only these can be trusted to have a length. */
const tags: ReadonlySet<number> = new Set([
  UTF8,
  0x02, // LOAD CLASS
  0x03, // UNLOAD CLASS
  0x04, // STACK FRAME
  0x05, // STACK TRACE
  0x06, // ALLOC SITES
  0x07, // HEAP SUMMARY
  0x0a, // START THREAD
  0x0b, // END THREAD
  0x0c, // HEAP DUMP
  0x0d, // CPU SAMPLES
  0x0e, // CONTROL SETTINGS
  0x1c, // HEAP DUMP SEGMENT
  0x2c, // HEAP DUMP END
]);

/** Most bytes of the name of the format. */
const NAME = 32;

export function* readHprof(context: Context): StringSteps {
  const { input, tell } = context;
  let length = 0;
  for (;;) {
    yield* input.need(1, '');
    if (input.u1() === 0) break;
    if (++length > NAME) throw input.error('not-data', '', 'its format has no name', length);
  }
  yield* input.need(12, '');
  const idSize = input.u4();
  if (![1, 2, 4, 8].includes(idSize)) {
    throw input.error('invalid-value', '', `IDs have ${idSize} bytes, not 4 or 8`, 4);
  }
  // Milliseconds since 1970.
  yield* input.skip(8, '');
  while (!(yield* input.isAtEnd())) {
    const { offset } = input;
    if (!input.has(RECORD_LENGTH)) yield* input.need(RECORD_LENGTH, `the record at ${offset}`);
    const tag = input.u1();
    input.u4();
    const length = input.u4();
    if (tag !== UTF8) {
      if (!tags.has(tag)) {
        const what = `unknown record tag ${tag}; the length before it may be wrong`;
        tell(input.error('invalid-tag', '', what, RECORD_LENGTH));
      }
      yield* input.skip(length, `the record at ${offset}`);
    } else if (length < idSize) {
      const what = `a string has ${countBytes(length)}, and its ID has ${idSize}`;
      tell(input.error('invalid-value', '', what, 4));
      yield* input.skip(length, `the record at ${offset}`);
    } else {
      const id = yield* input.bytes(idSize, `the record at ${offset}`);
      yield* readText(context, length - idSize, formatId(id), 'symbol');
    }
  }
}

/** Formats an ID, an address in the JVM's memory: `0x7f0340`. */
function formatId(id: Uint8Array): string {
  const digits = Array.from(id, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `0x${digits.replace(/^0+(?=.)/, '')}`;
}

/**
 * The strings of files with Java's data: heap dumps (HPROF), streams of Java serialization, and NBT of Minecraft's
 * Java edition.
 *
 * @packageDocumentation
 */
import type { ErrorPolicy } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import * as dataInput from '@utf8/mutf8/data-input';
import { DataError, type DataForm } from './data/error.js';
import { DATA_LENGTH, recognizeData } from './data/form.js';
import { readHprof } from './data/hprof.js';
import { Input, MORE } from './data/input.js';
import { readNbt } from './data/nbt.js';
import type { Context, StringSteps } from './data/reader.js';
import { readSerialization } from './data/serialization.js';
import { type DataString, Strings } from './data/string.js';

export type { ErrorPolicy, Fault } from '@utf8/core';
export { DataError, type DataForm, type DataReason } from './data/error.js';
export { DATA_LENGTH, recognizeData } from './data/form.js';
export type { DataKind, DataString } from './data/string.js';

/** Options of {@link readData}. */
export interface DataOptions {
  /**
   * Policy for malformed strings. The default, `strict`, ends the reading at the first. A function receives
   * offsets from the start of the file.
   */
  readonly errors?: ErrorPolicy | undefined;
  /**
   * Receives each error that is skipped: a record of an unknown tag, a string that is too long, bytes after the
   * end. By default, the first such error is thrown. Other errors end the reading.
   *
   * @param error - The error.
   */
  readonly lenient?: ((error: DataError) => void) | undefined;
}

const readers: Readonly<
  Record<DataForm, readonly [typeof mutf8 | typeof dataInput, (context: Context) => StringSteps]>
> = {
  hprof: [mutf8, readHprof],
  // The JDK reads a raw 00 and overlong sequences in both.
  serialization: [dataInput, readSerialization],
  nbt: [dataInput, readNbt],
};

/**
 * Yields the strings of a file with Java's data, in its order. The format is recognized by its content. Memory
 * stays constant over a heap dump of any size, and over NBT; a stream of Java serialization takes as much as its
 * classes, and the nesting of its objects.
 *
 * @param chunks - The bytes of the file, uncompressed. A chunk may change after the next one is requested.
 * @param options - Policies for malformed strings and other errors.
 * @returns The strings: of a heap dump its `STRING IN UTF8` records, of a stream all strings, the names of classes
 *   and fields and the types of fields, of NBT the names and texts of tags.
 * @throws DataError if the file is malformed, or a string is malformed and the policy is `strict`.
 * @throws TypeError if an option is of the wrong type.
 * @example
 * ```ts
 * import { readData } from '@utf8/classfile/data';
 *
 * const nbt = [10, 0, 0, 10, 0, 1, 0x61, 8, 0, 1, 0x62, 0, 6, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0, 0];
 * const found = [];
 * for await (const { path, kinds, string } of readData([Uint8Array.from(nbt)])) {
 *   if (kinds.includes('value')) found.push([path, string]);
 * }
 * found; // => [['a.b', '😀']]
 * ```
 * @see Java Object Serialization Specification, section 6.4; hprof_b_spec.h of OpenJDK
 */
export async function* readData(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: DataOptions = {},
): AsyncGenerator<DataString, void, undefined> {
  const { errors = 'strict', lenient } = options;
  if (lenient !== undefined && typeof lenient !== 'function') {
    throw new TypeError('The option lenient is a function.');
  }
  mutf8.decode(new Uint8Array(0), { errors });
  const source = toIterator(chunks);
  try {
    const { form, head, isWhole } = await recognizeStart(source);
    const input = new Input(form);
    input.push(head);
    if (isWhole) input.finish();
    const [codec, read] = readers[form];
    const tell = (error: DataError): void => {
      if (!lenient) throw error;
      lenient(error);
    };
    for (const step of read({ input, strings: new Strings(form, codec, errors), tell })) {
      if (step !== MORE) {
        yield step;
        continue;
      }
      const { value, done } = await source.next();
      if (done) input.finish();
      else input.push(value);
    }
  } finally {
    await source.return?.();
  }
}

const toIterator = (
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncIterator<Uint8Array> | Iterator<Uint8Array> =>
  Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();

/** Reads chunks until they tell the format. */
async function recognizeStart(
  source: AsyncIterator<Uint8Array> | Iterator<Uint8Array>,
): Promise<{ form: DataForm; head: Uint8Array; isWhole: boolean }> {
  let head = new Uint8Array(0);
  for (;;) {
    const { value, done } = await source.next();
    if (!done) {
      const longer = new Uint8Array(head.length + value.length);
      longer.set(head);
      longer.set(value, head.length);
      head = longer;
    }
    if (!done && head.length < DATA_LENGTH) continue;
    const form = recognizeData(head);
    if (form) return { form, head, isWhole: done === true };
    const what = 'the file is neither a heap dump nor Java serialization nor NBT';
    throw new DataError(undefined, 'not-data', 0, '', what);
  }
}

/** Files with Java's data, put together from numbers. */
import { type DataOptions, type DataString, readData } from '@utf8/classfile/data';
import { encodeUTF } from '@utf8/mutf8/framing';

type Part = Uint8Array | number | string;

/** Joins bytes, numbers of one byte, and texts in hexadecimal digits. */
export const join = (...parts: readonly Part[]): Buffer =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'number'
        ? Buffer.of(part)
        : typeof part === 'string'
          ? Buffer.from(part.replaceAll(' ', ''), 'hex')
          : part,
    ),
  );

export const u4 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

export const utf = (text: string): Uint8Array => encodeUTF(text);

/** A named tag of NBT. */
export const tag = (type: number, name: string, ...payload: readonly Part[]): Buffer =>
  join(type, utf(name), ...payload);

export const compound = (name: string, ...tags: readonly Part[]): Buffer =>
  tag(10, name, ...tags, 0);

/** A heap dump: its header, and records. */
export const hprof = (...records: readonly Part[]): Buffer =>
  join(Buffer.from('JAVA PROFILE 1.0.2\0'), u4(8), '0000000000000000', ...records);

export const record = (type: number, ...content: readonly Part[]): Buffer => {
  const body = join(...content);
  return join(type, u4(0), u4(body.length), body);
};

/** A stream of Java serialization. */
export const stream = (...content: readonly Part[]): Buffer => join('ACED0005', ...content);

/** Reads a file in chunks of a size. */
export async function read(
  file: Uint8Array,
  options?: DataOptions,
  size: number = Math.max(1, file.length),
): Promise<DataString[]> {
  const chunks = function* () {
    // The same memory for each, as when a file is read.
    const memory = new Uint8Array(size);
    for (let at = 0; at < file.length; at += size) {
      const chunk = file.subarray(at, at + size);
      memory.set(chunk);
      yield memory.subarray(0, chunk.length);
      memory.fill(0xee);
    }
  };
  const strings: DataString[] = [];
  for await (const string of readData(chunks(), options)) strings.push(string);
  return strings;
}

/** Lines of path, kind, offset and text. */
export const list = (strings: readonly DataString[]): string[] =>
  strings.map(
    ({ path, kinds, offset, string }) => `${path} ${kinds} ${offset} ${JSON.stringify(string)}`,
  );

/** DEX files put together from numbers, sound or not. */
export type Bytes = readonly number[];

export const u2 = (...values: number[]): Bytes =>
  values.flatMap((value) => [value & 0xff, (value >> 8) & 0xff]);

export const u4 = (...values: number[]): Bytes =>
  values.flatMap((value) => [...u2(value & 0xffff), ...u2(Math.floor(value / 0x1_0000))]);

export function uleb128(value: number): Bytes {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left];
    bytes.push((left & 0x7f) | 0x80);
  }
}

export const repeat = (bytes: Bytes, times: number): Buffer =>
  Buffer.concat(new Array<Buffer>(times).fill(Buffer.from(bytes)));

/** The sum that the header of a DEX file has; RFC 1950, section 8.2, byte by byte. */
export function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return b * 0x1_0000 + a;
}

/** Writes the correct checksum into a file, if it has a header. */
export function sign(file: Buffer): Buffer {
  if (file.length >= 0x70) file.writeUInt32LE(adler32(file.subarray(12)), 8);
  return file;
}

const HEADER = 0x70;

/** The sections that a header points to, in its order; each item has so many bytes. */
const sections = ['strings', 'types', 'prototypes', 'fields', 'methods', 'classes'] as const;

/** Parts of a file: sections as bytes and counts, and the data that they refer to. */
export type Parts = Partial<
  Record<(typeof sections)[number], { readonly count: number; readonly bytes: Uint8Array }>
> & {
  readonly data?: Uint8Array;
};

/**
 * Puts a file together: the header, a map, the sections, the data.
 *
 * @param make - Gets where the data begin, which are in the order of the sections before them.
 */
export function assembleDex(
  sizes: Readonly<Record<string, number>>,
  make: (data: number) => Parts,
): Buffer {
  const map = u4(1, 0, 1, 0);
  const before = sections.reduce((sum, name) => sum + (sizes[name] ?? 0), HEADER + map.length);
  const parts = make(before);
  const ids: number[] = [];
  const bodies: Uint8Array[] = [];
  let offset = HEADER + map.length;
  for (const name of sections) {
    const section = parts[name];
    ids.push(section?.count ?? 0, section ? offset : 0);
    if (section) bodies.push(section.bytes);
    offset += section?.bytes.length ?? 0;
  }
  if (offset !== before) throw new Error(`sections end at ${offset}, not at ${before}`);
  const data = parts.data ?? new Uint8Array(0);
  const size = before + data.length;
  const header = [
    ...Buffer.from('dex\n039\0', 'latin1'),
    ...u4(0),
    ...new Array(20).fill(0),
    ...u4(size, HEADER, 0x1234_5678, 0, 0, HEADER, ...ids, data.length, before),
  ];
  return sign(Buffer.concat([Uint8Array.from([...header, ...map]), ...bodies, data]));
}

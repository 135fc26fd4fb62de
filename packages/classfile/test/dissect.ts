/** A parser of archives, byte by byte, that shares no code with the package under test. */

/** An entry as it is stored in an archive. */
export interface Part {
  readonly name: string;
  readonly offset: number;
  /** The header before it. */
  readonly header: string;
  readonly data: Buffer;
  /** Offset of its bytes. */
  readonly start: number;
  readonly method: number;
  /** Its record in the directory, without the offset. */
  readonly record: string;
}

/** Dissects an archive whose numbers are right, and whose offsets count from a position. */
export function dissect(bytes: Buffer, base = 0): { parts: Part[]; tail: string } {
  let end = bytes.length - 22;
  while (
    bytes.readUInt32LE(end) !== 0x06054b50 ||
    bytes.readUInt16LE(end + 20) !== bytes.length - end - 22
  )
    end--;
  const hasLocator = bytes.toString('latin1', end - 20, end - 16) === 'PK\x06\x07';
  const target = hasLocator ? Number(bytes.readBigUInt64LE(end - 12)) : 0;
  const isEnd = (at: number): boolean => bytes.toString('latin1', at, at + 4) === 'PK\x06\x06';
  const large = [target, base + target, end - 76].find(isEnd) ?? 0;
  const isLarge = hasLocator && large > 0;
  const count = isLarge ? Number(bytes.readBigUInt64LE(large + 32)) : bytes.readUInt16LE(end + 10);
  const size = isLarge ? Number(bytes.readBigUInt64LE(large + 40)) : bytes.readUInt32LE(end + 12);
  const directory =
    base + (isLarge ? Number(bytes.readBigUInt64LE(large + 48)) : bytes.readUInt32LE(end + 16));
  const parts: Part[] = [];
  let at = directory;
  for (let i = 0; i < count; i++) {
    if (bytes.toString('latin1', at, at + 4) !== 'PK\x01\x02')
      throw new Error(`no record at ${at}`);
    const nameLength = bytes.readUInt16LE(at + 28);
    const length = 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    const record = Buffer.from(bytes.subarray(at, at + length));
    const offset = base + record.readUInt32LE(42);
    record.writeUInt32LE(0, 42);
    if (bytes.toString('latin1', offset, offset + 4) !== 'PK\x03\x04') {
      throw new Error(`no entry at ${offset}`);
    }
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    parts.push({
      name: record.toString('utf8', 46, 46 + nameLength),
      offset,
      header: bytes.toString('hex', offset, start),
      data: bytes.subarray(start, start + record.readUInt32LE(20)),
      start,
      method: record.readUInt16LE(10),
      record: record.toString('hex'),
    });
    at += length;
  }
  if (at - directory !== size) throw new Error(`${size} bytes are stated, ${at - directory} found`);
  return { parts, tail: bytes.toString('hex', end + 20) };
}

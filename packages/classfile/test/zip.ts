/** Zip archives made by hand, so that they can lie. APPNOTE.TXT 4.3. */
import { crc32, deflateRawSync } from 'node:zlib';

/** Bytes that begin as a class file does and continue with a text, which no test parses. */
export const classOf = (text: string | Uint8Array = ''): Buffer =>
  Buffer.concat([Buffer.from('CAFEBABE0000003D', 'hex'), Buffer.from(text as string)]);

/** An entry, and the fields of its headers that deviate from it. */
export interface Item {
  readonly name: string | Buffer;
  readonly bytes?: Uint8Array;
  /** 0 for stored, 8 for deflated, which is the default. */
  readonly method?: number;
  /** Bytes in the archive that replace the compressed bytes. */
  readonly data?: Uint8Array;
  readonly claims?: {
    readonly method?: number;
    readonly flags?: number;
    readonly crc?: number;
    readonly compressed?: number;
    readonly size?: number;
    /** Offset of its header. */
    readonly offset?: number;
    readonly extra?: Uint8Array;
    /** Extra fields of the header before the entry. */
    readonly localExtra?: Uint8Array;
    /** Bytes after the entry. */
    readonly descriptor?: Uint8Array;
    readonly signature?: number;
  };
}

/** Fields of the end record that deviate. */
export interface End {
  readonly count?: number;
  readonly size?: number;
  readonly offset?: number;
  readonly disk?: number;
  /** True to write the zip64 end record before it. APPNOTE.TXT 4.3.14. */
  readonly isLarge?: boolean;
  /** Bytes after the stated length. */
  readonly comment?: Uint8Array;
}

/** An archive. */
export function zip(items: Iterable<Item>, end: End = {}): Buffer {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  let count = 0;
  for (const { name, bytes = new Uint8Array(), method = 8, data, claims = {} } of items) {
    const label = Buffer.from(name as string);
    const stored = data ?? (method === 8 ? deflateRawSync(bytes) : bytes);
    const extra = claims.extra ?? new Uint8Array();
    const localExtra = claims.localExtra ?? new Uint8Array();
    const local = Buffer.alloc(30 + label.length);
    local.writeUInt32LE(claims.signature ?? 0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(claims.flags ?? 0, 6);
    local.writeUInt16LE(claims.method ?? method, 8);
    local.writeUInt32LE(claims.crc ?? crc32(bytes), 14);
    local.writeUInt32LE(claims.compressed ?? stored.length, 18);
    local.writeUInt32LE(claims.size ?? bytes.length, 22);
    local.writeUInt16LE(label.length, 26);
    label.copy(local, 30);
    const record = Buffer.alloc(46 + label.length);
    record.writeUInt32LE(0x02014b50, 0);
    record.writeUInt16LE(20, 4);
    local.copy(record, 6, 4, 28);
    record.writeUInt16LE(extra.length, 30);
    record.writeUInt32LE(claims.offset ?? offset, 42);
    label.copy(record, 46);
    directory.push(record, extra);
    local.writeUInt16LE(localExtra.length, 28);
    if (claims.descriptor) local.fill(0, 14, 26);
    const descriptor = claims.descriptor ?? new Uint8Array();
    parts.push(local, localExtra, stored, descriptor);
    offset += local.length + localExtra.length + stored.length + descriptor.length;
    count++;
  }
  const listing = Buffer.concat(directory);
  const tail = Buffer.alloc(18);
  tail.writeUInt16LE(end.disk ?? 0, 0);
  const stated = end.isLarge ? Math.min(count, 0xffff) : count & 0xffff;
  tail.writeUInt16LE(stated, 4);
  tail.writeUInt16LE(end.count ?? stated, 6);
  tail.writeUInt32LE(end.size ?? listing.length, 8);
  tail.writeUInt32LE(end.offset ?? offset, 12);
  const comment = Buffer.from(end.comment ?? []);
  const large = Buffer.alloc(end.isLarge ? 76 : 0);
  if (end.isLarge) {
    large.writeUInt32LE(0x06064b50, 0);
    large.writeUInt32LE(44, 4);
    large.writeUInt32LE(count, 24);
    large.writeUInt32LE(count, 32);
    large.writeUInt32LE(listing.length, 40);
    large.writeUInt32LE(offset, 48);
    large.writeUInt32LE(0x07064b50, 56);
    large.writeUInt32LE(offset + listing.length, 64);
    large.writeUInt32LE(1, 72);
  }
  return Buffer.concat([...parts, listing, large, uint32(0x06054b50), tail, comment]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

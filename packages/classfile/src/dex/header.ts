/** Headers and maps, which give the sections of a DEX file. */
import { Budget } from '../android/budget.js';
import { readU2, readU4 } from '../android/cursor.js';
import { DexError, type DexReason, refuse } from './error.js';

/** A list of items of one size. */
export interface Section {
  /** Number of items. */
  readonly size: number;
  /** Offset of the list, in bytes from the start of the file. */
  readonly offset: number;
}

/** The content that one header describes: the whole file, or one DEX file in a container. */
export interface Part {
  readonly version: number;
  readonly strings: Section;
  readonly types: Section;
  readonly prototypes: Section;
  readonly fields: Section;
  readonly methods: Section;
  readonly classes: Section;
  readonly callSites: Section;
  readonly methodHandles: Section;
}

/** Receives an error. Returns if the error can be skipped, and throws it otherwise. */
export type Tell = (error: DexError) => void;

/** The sizes of items, in bytes. */
export const SIZES = {
  strings: 4,
  types: 4,
  prototypes: 12,
  fields: 8,
  methods: 8,
  classes: 32,
  callSites: 4,
  methodHandles: 8,
} as const;

const HEADER_SIZE = 0x70;

/** The first version with containers: its header states its own offset in the file. */
const CONTAINERS = 41;
const CONTAINER_HEADER_SIZE = 0x78;

/** Version 036 is missing, because early runtimes accepted it by mistake. */
const versions: ReadonlySet<number> = new Set([35, 37, 38, 39, 40, 41]);

const LITTLE_ENDIAN = 0x1234_5678;
const BIG_ENDIAN = 0x7856_3412;

/** Offsets of header fields, in bytes from the start of the header. */
const Field = {
  Checksum: 8,
  Signature: 12,
  FileSize: 0x20,
  HeaderSize: 0x24,
  Endianness: 0x28,
  Map: 0x34,
  Strings: 0x38,
  Types: 0x40,
  Prototypes: 0x48,
  Fields: 0x50,
  Methods: 0x58,
  Classes: 0x60,
  ContainerSize: 0x70,
  HeaderOffset: 0x74,
} as const;

/** The types of map items that no header points to. */
const CALL_SITES = 7;
const METHOD_HANDLES = 8;

/** Reads every header of a file; there is one before version 041. */
export function readParts(bytes: Uint8Array, tell: Tell): Part[] {
  const parts: Part[] = [];
  const budget = new Budget(bytes.length);
  let start = 0;
  do {
    const header = new Header(bytes, start, tell, budget);
    parts.push(header.readPart());
    if (header.version < CONTAINERS) break;
    start += header.size;
  } while (start < bytes.length);
  return parts;
}

class Header {
  readonly #bytes: Uint8Array;
  readonly #start: number;
  readonly #tell: Tell;
  readonly #budget: Budget;
  readonly version: number;
  /** Distance from this header to the next one, in bytes. */
  readonly size: number;

  constructor(bytes: Uint8Array, start: number, tell: Tell, budget: Budget) {
    this.#bytes = bytes;
    this.#start = start;
    this.#tell = tell;
    this.#budget = budget;
    this.version = this.#readVersion();
    const length = this.version < CONTAINERS ? HEADER_SIZE : CONTAINER_HEADER_SIZE;
    if (start + length > bytes.length) {
      refuse('truncated', bytes.length, `the header at byte ${start} has ${length} bytes`);
    }
    this.#checkEndianness();
    if (this.#u4(Field.HeaderSize) !== length) {
      this.#complain(
        'invalid-value',
        Field.HeaderSize,
        `the header does not state its length, ${length} bytes`,
      );
    }
    this.size = this.#readSize(length);
    this.#checkSum();
  }

  readPart(): Part {
    const { version } = this;
    const lists = this.#readMap();
    return {
      version,
      strings: this.#readSection('strings', Field.Strings),
      types: this.#readSection('types', Field.Types),
      prototypes: this.#readSection('prototypes', Field.Prototypes),
      fields: this.#readSection('fields', Field.Fields),
      methods: this.#readSection('methods', Field.Methods),
      classes: this.#readSection('classes', Field.Classes),
      ...lists,
    };
  }

  #readVersion(): number {
    const at = this.#start;
    const magic = this.#bytes.subarray(at, at + 8);
    const text = String.fromCharCode(...magic);
    const match = /^dex\n(\d{3})\0$/.exec(text);
    if (!match) refuse('not-a-dex', at, 'a DEX file begins with dex, a line feed and a version');
    const version = Number(match[1]);
    if (!versions.has(version)) {
      refuse('unsupported', at + 4, `unknown version ${match[1]}`);
    }
    return version;
  }

  #checkEndianness(): void {
    const tag = this.#u4(Field.Endianness);
    if (tag === LITTLE_ENDIAN) return;
    const reason = tag === BIG_ENDIAN ? 'unsupported' : 'invalid-value';
    refuse(reason, this.#start + Field.Endianness, 'the numbers are not in little-endian order');
  }

  #readSize(length: number): number {
    const start = this.#start;
    const left = this.#bytes.length - start;
    let size = this.#u4(Field.FileSize);
    if (size < length) {
      refuse(
        'invalid-value',
        start + Field.FileSize,
        `the header states a file size of ${size} bytes`,
      );
    }
    if (size > left) {
      this.#complain('truncated', Field.FileSize, `${size} bytes announced, but ${left} left`);
      size = left;
    }
    if (this.version < CONTAINERS) return size;
    if (this.#u4(Field.ContainerSize) > this.#bytes.length) {
      this.#complain('truncated', Field.ContainerSize, 'the container ends early');
    }
    if (this.#u4(Field.HeaderOffset) !== start) {
      this.#complain(
        'invalid-value',
        Field.HeaderOffset,
        'the header is not at the offset that it states',
      );
    }
    return size;
  }

  #checkSum(): void {
    const start = this.#start;
    const sum = adler32(this.#bytes, start + Field.Signature, start + this.size);
    if (sum !== this.#u4(Field.Checksum)) {
      this.#complain('checksum', Field.Checksum, 'the checksum does not match the content');
    }
  }

  #readSection(name: keyof typeof SIZES, field: number): Section {
    const at = this.#start + field;
    return this.#checkSection(name, this.#u4(field), this.#u4(field + 4), at);
  }

  /** Checks a section. Shortens one that is too long for the file, if that error can be skipped. */
  #checkSection(name: keyof typeof SIZES, size: number, offset: number, at: number): Section {
    if (size === 0) return { size, offset: 0 };
    const most = Math.max(0, Math.floor((this.#bytes.length - offset) / SIZES[name]));
    if (size <= most) return { size, offset };
    const what = `the ${size} ${name} at byte ${offset} exceed the file`;
    this.#tell(new DexError('truncated', at, what));
    return { size: most, offset };
  }

  #readMap(): Pick<Part, 'callSites' | 'methodHandles'> {
    const none: Section = { size: 0, offset: 0 };
    const lists = { callSites: none, methodHandles: none };
    const bytes = this.#bytes;
    const offset = this.#u4(Field.Map);
    const size = offset + 4 > bytes.length ? 0 : readU4(bytes, offset);
    if (size === 0 || offset + 4 + size * 12 > bytes.length) {
      this.#complain('truncated', Field.Map, `there is no map at byte ${offset}`);
      return lists;
    }
    if (!this.#budget.spend(size * 12)) refuse('overlap', offset, 'headers share a map too often');
    for (let at = offset + 4; at < offset + 4 + size * 12; at += 12) {
      const type = readU2(bytes, at);
      const name = type === CALL_SITES ? 'callSites' : 'methodHandles';
      if (type !== CALL_SITES && type !== METHOD_HANDLES) continue;
      lists[name] = this.#checkSection(name, readU4(bytes, at + 4), readU4(bytes, at + 8), at + 4);
    }
    return lists;
  }

  #u4(field: number): number {
    return readU4(this.#bytes, this.#start + field);
  }

  #complain(reason: DexReason, field: number, what: string): void {
    this.#tell(new DexError(reason, this.#start + field, what));
  }
}

/** The largest prime below 2^16. */
const MODULUS = 65_521;

/** Most bytes whose sums stay below 2^32 without a division. */
const BLOCK = 5552;

/** @see RFC 1950, section 8.2 */
function adler32(bytes: Uint8Array, from: number, to: number): number {
  let a = 1;
  let b = 0;
  for (let i = from; i < to; ) {
    const end = Math.min(i + BLOCK, to);
    for (; i < end; i++) {
      a += bytes[i] as number;
      b += a;
    }
    a %= MODULUS;
    b %= MODULUS;
  }
  return b * 0x1_0000 + a;
}

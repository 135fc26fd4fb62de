/** Arrays whose properties and methods differ from those of plain ones. */

/** Changes an array so that its properties differ from its memory. */
export type Disguise = (bytes: Uint8Array) => Uint8Array;

/** Greatest number of reads of a length, so that a loop that trusts it ends. No function has to read it. */
const MOST_READS = 1000;

function limitReads(length: number): () => number {
  let reads = 0;
  return () => {
    if (++reads > MOST_READS) throw new Error('the length is read without end');
    return length;
  };
}

/** Defines own properties of an array. */
export const define = (
  bytes: Uint8Array,
  properties: Readonly<Record<PropertyKey, unknown>>,
): Uint8Array => {
  for (const name of Reflect.ownKeys(properties)) {
    Object.defineProperty(bytes, name, { value: properties[name as string], configurable: true });
  }
  return bytes;
};

/** Claims another length by own getters. */
function claimLength(bytes: Uint8Array, length: number): Uint8Array {
  const get = limitReads(length);
  Object.defineProperty(bytes, 'length', { get });
  return Object.defineProperty(bytes, 'byteLength', { get });
}

/** Claims another length by getters of a subclass. */
function inheritLength(bytes: Uint8Array, length: number): Uint8Array {
  const read = limitReads(length);
  class Claiming extends Uint8Array {
    override get length(): number {
      return read();
    }
    override get byteLength(): number {
      return read();
    }
  }
  return Object.setPrototypeOf(bytes, Claiming.prototype);
}

/** Overrides a property by a getter of a subclass. */
function override(bytes: Uint8Array, name: keyof Uint8Array, value: unknown): Uint8Array {
  class Overriding extends Uint8Array {}
  Object.defineProperty(Overriding.prototype, name, { get: () => value });
  return Object.setPrototypeOf(bytes, Overriding.prototype);
}

class OfSpecies extends Uint8Array {
  static get [Symbol.species](): never {
    return function make(): Uint8Array {
      return new Uint8Array(3).fill(0x3f);
    } as never;
  }
}

/** Memory that no function may read. */
export const other: Uint8Array<ArrayBuffer> = new Uint8Array(90_000).fill(0x21);
const fail = (): never => {
  throw new Error('a method of the caller was called');
};

/** Disguises that claim another length. */
const lengths: Readonly<Record<string, Disguise>> = {
  'own length, longer': (bytes) => define(bytes, { length: bytes.byteLength + 5000 }),
  'own length, by one': (bytes) => define(bytes, { length: bytes.byteLength + 1 }),
  'own byteLength': (bytes) => define(bytes, { byteLength: bytes.length + 1000 }),
};

/** Disguises that claim another length, and end a loop that trusts it. */
export const getters: Readonly<Record<string, Disguise>> = {
  'own getters, longer': (bytes) => claimLength(bytes, bytes.length + 70_000),
  'own getters, by one': (bytes) => claimLength(bytes, bytes.length + 1),
  'own getters, shorter': (bytes) => claimLength(bytes, 1),
  'own getters, 0': (bytes) => claimLength(bytes, 0),
  'own getters, NaN': (bytes) => claimLength(bytes, Number.NaN),
  'own getters, a string': (bytes) => claimLength(bytes, '9' as never),
  'own getters, undefined': (bytes) => claimLength(bytes, undefined as never),
  'getters of a subclass, longer': (bytes) => inheritLength(bytes, bytes.length + 1000),
  'getters of a subclass, shorter': (bytes) => inheritLength(bytes, 1),
  'getters of a subclass, 0': (bytes) => inheritLength(bytes, 0),
};

/** Disguises of other kinds. */
const others: Readonly<Record<string, Disguise>> = {
  'own byteOffset': (bytes) => define(bytes, { byteOffset: 5 }),
  'own buffer': (bytes) => define(bytes, { buffer: other.buffer }),
  'byteOffset of a subclass': (bytes) => override(bytes, 'byteOffset', 5),
  'buffer of a subclass': (bytes) => override(bytes, 'buffer', other.buffer),
  'byteLength of a subclass': (bytes) => override(bytes, 'byteLength', bytes.length + 1000),
  'own subarray, slice and set': (bytes) =>
    define(bytes, { subarray: () => other, slice: () => other, set: fail }),
  'own methods that throw': (bytes) =>
    define(bytes, { indexOf: fail, every: fail, fill: fail, copyWithin: fail, includes: fail }),
  'own iterator': (bytes) => define(bytes, { [Symbol.iterator]: fail, values: fail }),
  'own constructor': (bytes) => define(bytes, { constructor: Array }),
  'own constructor that throws': (bytes) => define(bytes, { constructor: fail }),
  'own conversions': (bytes) =>
    define(bytes, { toString: fail, valueOf: fail, [Symbol.toPrimitive]: fail }),
  'subclass with a species': (bytes) => Object.setPrototypeOf(bytes, OfSpecies.prototype),
  'Buffer with an own length': ({ buffer, byteOffset, length }) =>
    define(Buffer.from(buffer, byteOffset, length), { length: length + 500 }),
  'Buffer with own properties': ({ buffer, byteOffset, length }) =>
    define(Buffer.from(buffer, byteOffset, length), { parent: other.buffer, offset: 7 }),
};

/** All disguises, by name. */
export const disguises: Readonly<Record<string, Disguise>> = { ...lengths, ...getters, ...others };

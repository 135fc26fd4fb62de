/** The exports of iconv-lite that `register` needs. */
export interface IconvLite {
  /**
   * Encodes a text, which loads the encodings.
   *
   * @param text - Any string.
   * @param encoding - The name of an encoding.
   * @returns The bytes.
   */
  encode(text: string, encoding: 'utf8'): Uint8Array;
  /** The encodings by name; null until the first use. */
  encodings: object | null;
  /** The codecs created from encodings, by name. */
  _codecDataCache: object;
  /**
   * Reduces a name to its letters and digits.
   *
   * @param name - The name of an encoding.
   * @returns The name that the encodings are registered by.
   */
  _canonicalizeEncoding(name: string): string;
}

/** The registry of a copy of iconv-lite. */
export interface Registry {
  /** Registers the class of a codec. */
  set(name: string, codec: new () => object): void;
  /** Converts bytes to the class that this copy of iconv-lite returns. */
  toNative(bytes: Uint8Array): Uint8Array;
}

/** Node's Buffer, or its replacement in a bundle. */
interface BufferConstructor {
  from(bytes: Uint8Array): Uint8Array;
  from(buffer: ArrayBufferLike, offset: number, length: number): Uint8Array;
}

export function openRegistry(exports: IconvLite): Registry {
  // `import * as iconv` contains only copies of assignable exports; the module itself is its default.
  const iconv = (exports as { default?: IconvLite } | undefined)?.default ?? exports;
  // The first use loads the encodings.
  const native: unknown = iconv?.encode?.('', 'utf8')?.constructor;
  const { encodings, _codecDataCache: cache } = (iconv ?? {}) as Partial<IconvLite>;
  if (!encodings || !cache) {
    throw new TypeError(
      'Expected the exports of iconv-lite, but the argument has no registry of encodings.',
    );
  }
  return {
    set(name, codec) {
      const key = iconv._canonicalizeEncoding(name);
      if (!key) throw new TypeError(`Expected a name with letters or digits, but got '${name}'.`);
      Object.assign(encodings, { [key]: codec });
      Reflect.deleteProperty(cache, key);
    },
    toNative: native === Uint8Array ? (bytes) => bytes : wrap(native as BufferConstructor),
  };
}

/** Longest array that is copied, in bytes. For shorter arrays, a view takes twice as long (Node 20). */
const SHORT = 1024;

const wrap = (Native: BufferConstructor) => (bytes: Uint8Array) =>
  bytes.length > SHORT
    ? Native.from(bytes.buffer, bytes.byteOffset, bytes.length)
    : Native.from(bytes);

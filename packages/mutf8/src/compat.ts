/**
 * The classes of the npm package mutf-8 1.2, name by name, on this codec.
 *
 * @packageDocumentation
 */
import type { Bytes } from '@utf8/core';
import { Decoder, encode, encodeInto } from './generated/index.js';

/** What a decoder accepts: any buffer, or any view of one. */
export type AllowSharedBufferSource = Bytes;

/** Options of {@link MUtf8Decoder}. */
export interface TextDecoderOptions {
  /** True to throw at the first fault; false, the default, to put U+FFFD there. */
  fatal?: boolean | undefined;
  /** False to drop U+FEFF at the start; true, the default, to keep it: Java writes no byte order mark. */
  ignoreBOM?: boolean | undefined;
}

/** Options of {@link MUtf8Decoder.decode}. */
export interface TextDecodeOptions {
  /** True where more bytes follow in the next call; false, the default, where the text ends here. */
  stream?: boolean | undefined;
}

/** What {@link MUtf8Encoder.encodeInto} did. */
export interface TextEncoderEncodeIntoResult {
  /** In UTF-16 code units. */
  read: number;
  /** In bytes. */
  written: number;
}

const encoding = 'mutf-8';
const labels = [encoding, 'mutf8'];

/**
 * Decodes Modified UTF-8, with the interface of the npm package mutf-8.
 *
 * What is well-formed decodes to the same text, with one exception: U+FEFF at the start stays, unless
 * `ignoreBOM` is false. What is not gets one U+FFFD per maximal subpart, and is refused if `fatal`,
 * overlong forms included.
 *
 * @example
 * ```ts
 * import { MUtf8Decoder } from '@utf8/mutf8/compat';
 *
 * const decoder = new MUtf8Decoder('mutf-8', { fatal: true });
 * decoder.decode(Uint8Array.of(0xc0, 0x80, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)); // => '\0😀'
 * new MUtf8Decoder().decode(Uint8Array.of(0xc1, 0x81)); // => '\ufffd\ufffd'
 * ```
 * @see JVMS, section 4.4.7; https://encoding.spec.whatwg.org/#interface-textdecoder
 */
export class MUtf8Decoder {
  readonly #decoder: Decoder;
  readonly #fatal: boolean;
  readonly #ignoreBOM: boolean;

  /**
   * @param label - `mutf-8` or `mutf8`, in any case.
   * @param options - What to do about faults, and about U+FEFF at the start.
   * @throws RangeError if the label is another one.
   */
  constructor(label: string = encoding, options: TextDecoderOptions = {}) {
    if (!labels.includes(label.toLowerCase())) {
      throw new RangeError(
        `MUtf8Decoder takes the labels ${labels.join(' and ')}, not '${label}'.`,
      );
    }
    const { fatal = false, ignoreBOM = true } = options;
    this.#fatal = Boolean(fatal);
    this.#ignoreBOM = Boolean(ignoreBOM);
    this.#decoder = new Decoder({
      errors: fatal ? 'strict' : 'replace',
      bom: ignoreBOM ? 'keep' : 'strip',
    });
  }

  /** Always `mutf-8`. */
  get encoding(): string {
    return encoding;
  }

  /** True if the first fault throws. */
  get fatal(): boolean {
    return this.#fatal;
  }

  /** True if U+FEFF at the start is kept. */
  get ignoreBOM(): boolean {
    return this.#ignoreBOM;
  }

  /**
   * Decodes bytes, or the next of them.
   *
   * @param input - The next bytes; leaving it out is the same as no bytes.
   * @param options - Whether more bytes follow.
   * @returns The text that is certain so far.
   * @throws RangeError if the text is longer than a string can be.
   * @throws TypeError at the first fault if `fatal`: a `DecodeError`, with its offset in bytes.
   */
  decode(input?: AllowSharedBufferSource, options?: TextDecodeOptions): string {
    return this.#decoder.decode(input, options);
  }
}

/**
 * Encodes Modified UTF-8, with the interface of the npm package mutf-8 and the same results.
 *
 * @example
 * ```ts
 * import { MUtf8Encoder } from '@utf8/mutf8/compat';
 *
 * const encoder = new MUtf8Encoder();
 * encoder.encode('\0😀'); // => Uint8Array.of(0xc0, 0x80, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)
 * encoder.encodeInto('a😀', new Uint8Array(6)); // => { read: 1, written: 1 }
 * ```
 * @see JVMS, section 4.4.7; https://encoding.spec.whatwg.org/#interface-textencoder
 */
export class MUtf8Encoder {
  /** Always `mutf-8`. */
  get encoding(): string {
    return encoding;
  }

  /**
   * Encodes a text, in memory of its own.
   *
   * @param input - Any string; leaving it out is the same as an empty one.
   * @returns The bytes.
   * @throws TypeError if the argument is no string.
   */
  encode(input: string = ''): Uint8Array {
    return encode(input);
  }

  /**
   * Encodes as much of a text as fits into a target, whole characters only.
   *
   * @param source - Any string.
   * @param destination - Where to write, from its start.
   * @returns How many UTF-16 code units were read, and how many bytes written.
   * @throws TypeError if an argument is of the wrong type.
   */
  encodeInto(source: string, destination: Uint8Array): TextEncoderEncodeIntoResult {
    return encodeInto(source, destination);
  }
}

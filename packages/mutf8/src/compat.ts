/**
 * The classes of the npm packages mutf-8 and mutf-8-stream 1.2, name by name, on `@utf8/mutf8/data-input`.
 *
 * @packageDocumentation
 */
import type { Bytes, EncoderStreamConstructor, TextDecoderStreamConstructor } from '@utf8/core';
import {
  EncoderStream,
  encode,
  encodeInto,
  TextDecoder,
  TextDecoderStream,
} from './generated/data-input/index.js';

/** Input of a decoder: any buffer, or any view of one. */
export type AllowSharedBufferSource = Bytes;

/** Options of {@link MUtf8Decoder} and {@link MUtf8DecoderStream}. */
export interface TextDecoderOptions {
  /** True to throw at the first fault; false, the default, to decode each fault to U+FFFD. */
  fatal?: boolean | undefined;
  /** False to drop U+FEFF at the start; true, the default, to keep it: Java writes no byte order mark. */
  ignoreBOM?: boolean | undefined;
}

/** Options of {@link MUtf8Decoder.decode}. */
export interface TextDecodeOptions {
  /** True if more bytes follow in the next call; false, the default, if the text ends here. */
  stream?: boolean | undefined;
}

/** The result of {@link MUtf8Encoder.encodeInto}. */
export interface TextEncoderEncodeIntoResult {
  /** In UTF-16 code units. */
  read: number;
  /** In bytes. */
  written: number;
}

const encoding = 'mutf-8';
const labels = [encoding, 'mutf8'];

/** Checks a label of a decoder or stream, and reads the options of both. */
function readOptions(
  name: string,
  label: string,
  { fatal, ignoreBOM = true }: TextDecoderOptions,
): TextDecoderOptions {
  if (labels.includes(label.toLowerCase())) return { fatal, ignoreBOM };
  throw new RangeError(`${name} accepts the labels ${labels.join(' and ')}, not '${label}'.`);
}

/**
 * Decodes Modified UTF-8, with the interface of the npm package mutf-8.
 *
 * Reads what Java's `DataInput` reads, a raw 00 and overlong forms included. U+FEFF at the start stays,
 * unless `ignoreBOM` is false. Each maximal subpart of malformed bytes becomes U+FFFD, or throws if `fatal`.
 *
 * @example
 * ```ts
 * import { MUtf8Decoder } from '@utf8/mutf8/compat';
 *
 * const decoder = new MUtf8Decoder('mutf-8', { fatal: true });
 * decoder.decode(Uint8Array.of(0xc0, 0x80, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)); // => '\0😀'
 * new MUtf8Decoder().decode(Uint8Array.of(0x00, 0xc1, 0x81, 0xff)); // => '\0A\ufffd'
 * ```
 * @see java.io.DataInput.readUTF; JVMS, section 4.4.7; https://encoding.spec.whatwg.org/#interface-textdecoder
 */
export class MUtf8Decoder {
  readonly #decoder: TextDecoder;

  /**
   * @param label - `mutf-8` or `mutf8`, in any case.
   * @param options - `fatal`, for faults, and `ignoreBOM`, for U+FEFF at the start.
   * @throws RangeError if the label is another one.
   */
  constructor(label: string = encoding, options: TextDecoderOptions = {}) {
    this.#decoder = new TextDecoder(undefined, readOptions('MUtf8Decoder', label, options));
  }

  /** Always `mutf-8`. */
  get encoding(): string {
    return encoding;
  }

  /** True if the first fault throws. */
  get fatal(): boolean {
    return this.#decoder.fatal;
  }

  /** True if U+FEFF at the start is kept. */
  get ignoreBOM(): boolean {
    return this.#decoder.ignoreBOM;
  }

  /**
   * Decodes bytes, or the next chunk of a stream.
   *
   * @param input - The next bytes; none by default.
   * @param options - `stream`: true if more bytes follow.
   * @returns The text that is certain so far.
   * @throws RangeError if the text is longer than a string can be.
   * @throws TypeError at the first fault if `fatal`, with the fields of a `DecodeError`.
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
   * @param input - Any string; empty by default.
   * @returns The bytes.
   * @throws TypeError if the argument is not a string.
   */
  encode(input: string = ''): Uint8Array {
    return encode(input);
  }

  /**
   * Encodes as much of a text as fits into a target, whole characters only.
   *
   * @param source - Any string.
   * @param destination - The target, written from its start.
   * @returns The number of UTF-16 code units that were read, and of bytes that were written.
   * @throws TypeError if an argument is of the wrong type.
   */
  encodeInto(source: string, destination: Uint8Array): TextEncoderEncodeIntoResult {
    return encodeInto(source, destination);
  }
}

/**
 * Decodes Modified UTF-8 in a web stream, with the interface of the npm package mutf-8-stream.
 *
 * Reads as {@link MUtf8Decoder} does. A character may be split between chunks; if the end of the stream cuts
 * it, it becomes U+FFFD, or an error if `fatal`.
 *
 * @example
 * ```ts
 * import { MUtf8DecoderStream } from '@utf8/mutf8/compat';
 *
 * const bytes = new Blob([Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)]);
 * const stream = bytes.stream().pipeThrough(new MUtf8DecoderStream());
 * let text = '';
 * for await (const chunk of stream) text += chunk;
 * text; // => '😀'
 * ```
 * @see java.io.DataInput.readUTF; https://encoding.spec.whatwg.org/#interface-textdecoderstream
 */
export class MUtf8DecoderStream {
  readonly #stream: InstanceType<TextDecoderStreamConstructor>;

  /**
   * @param label - `mutf-8` or `mutf8`, in any case.
   * @param options - `fatal`, for faults, and `ignoreBOM`, for U+FEFF at the start.
   * @throws RangeError if the label is another one.
   */
  constructor(label: string = encoding, options: TextDecoderOptions = {}) {
    this.#stream = new TextDecoderStream(
      undefined,
      readOptions('MUtf8DecoderStream', label, options),
    );
  }

  /** Always `mutf-8`. */
  get encoding(): string {
    return encoding;
  }

  /** True if the first fault makes the stream fail. */
  get fatal(): boolean {
    return this.#stream.fatal;
  }

  /** True if U+FEFF at the start is kept. */
  get ignoreBOM(): boolean {
    return this.#stream.ignoreBOM;
  }

  /** The texts. */
  get readable(): InstanceType<TextDecoderStreamConstructor>['readable'] {
    return this.#stream.readable;
  }

  /** Accepts buffers, and views of them. */
  get writable(): InstanceType<TextDecoderStreamConstructor>['writable'] {
    return this.#stream.writable;
  }
}

/**
 * Encodes Modified UTF-8 in a web stream, with the interface of the npm package mutf-8-stream.
 *
 * @example
 * ```ts
 * import { MUtf8EncoderStream } from '@utf8/mutf8/compat';
 *
 * const stream = new MUtf8EncoderStream();
 * const writer = stream.writable.getWriter();
 * void writer.write('a\0').then(() => writer.close());
 * new Uint8Array(await new Response(stream.readable).arrayBuffer()); // => Uint8Array.of(0x61, 0xc0, 0x80)
 * ```
 * @see JVMS, section 4.4.7; https://encoding.spec.whatwg.org/#interface-textencoderstream
 */
export class MUtf8EncoderStream {
  readonly #stream: InstanceType<EncoderStreamConstructor> = new EncoderStream();

  /** Always `mutf-8`. */
  get encoding(): string {
    return encoding;
  }

  /** The bytes of each text. */
  get readable(): InstanceType<EncoderStreamConstructor>['readable'] {
    return this.#stream.readable;
  }

  /** Accepts strings. */
  get writable(): InstanceType<EncoderStreamConstructor>['writable'] {
    return this.#stream.writable;
  }
}

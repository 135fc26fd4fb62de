import { type Bytes, toUint8Array } from './bytes.js';
import { decodeInto, StringSink, startsWithBom } from './decode.js';
import { type Engine, engineFor } from './engine.js';
import { checkPolicy, type ErrorPolicy } from './policy.js';
import { join, NOTHING } from './stream.js';

/** Options of a {@link Decoder}: those of `TextDecoder`, and `errors`, which wins over `fatal`. */
export interface DecoderOptions {
  /** True to throw at the first fault; false, the default, to put U+FFFD there. */
  readonly fatal?: boolean | undefined;
  /** True to keep a byte order mark at the start; false, the default, to drop it. */
  readonly ignoreBOM?: boolean | undefined;
  readonly errors?: ErrorPolicy | undefined;
}

/**
 * Decodes a stream of bytes chunk by chunk, with the shape and the defaults of `TextDecoder`.
 *
 * @example
 * ```ts
 * import { Decoder } from '@utf8/cesu8';
 *
 * const decoder = new Decoder({ fatal: true });
 * let text = decoder.decode(Uint8Array.of(0xed, 0xa0, 0xbd), { stream: true });
 * text += decoder.decode(Uint8Array.of(0xed, 0xb8, 0x80));
 * text; // => '😀'
 * ```
 * @see https://encoding.spec.whatwg.org/#interface-textdecoder
 */
export interface Decoder {
  /** The name of the codec. */
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /**
   * Decodes the next chunk. A sequence that its end cuts is kept for the next call, unless `stream` is
   * false, which ends the stream; the decoder can then be used for another.
   *
   * @param input - The next bytes; none is the same as no bytes.
   * @returns The text that is certain so far.
   * @throws DecodeError under `strict`; its offset counts bytes from the start of the stream. The
   *   decoder then starts afresh.
   */
  decode(input?: Bytes, options?: { readonly stream?: boolean | undefined }): string;
}

export function createDecoder(engine: Engine): new (options?: DecoderOptions) => Decoder {
  return class implements Decoder {
    readonly encoding = engine.name;
    readonly fatal: boolean;
    readonly ignoreBOM: boolean;
    readonly #policy: ErrorPolicy;
    #pending = NOTHING;
    /** Where in the stream the pending bytes begin. */
    #offset = 0;
    #isAtStart = true;

    constructor({ fatal = false, ignoreBOM = false, errors }: DecoderOptions = {}) {
      this.#policy = checkPolicy(errors, fatal ? 'strict' : 'replace');
      this.fatal = this.#policy === 'strict';
      this.ignoreBOM = Boolean(ignoreBOM);
    }

    decode(
      input: Bytes = NOTHING,
      { stream = false }: { stream?: boolean | undefined } = {},
    ): string {
      const bytes = join(this.#pending, toUint8Array(input));
      const from =
        this.#isAtStart && !this.ignoreBOM && startsWithBom(engine, bytes) ? engine.bom.length : 0;
      const sink = new StringSink();
      const offset = this.#offset;
      let read = bytes.length;
      // Before the loop, so that a fault that throws leaves a fresh decoder.
      this.#reset();
      read = decodeInto(
        sink,
        engineFor(engine, this.#policy),
        bytes,
        from,
        this.#policy,
        offset,
        !stream,
      );
      if (stream) {
        this.#pending = bytes.slice(read);
        this.#offset = offset + read;
        this.#isAtStart = this.#offset === 0;
      }
      return sink.text;
    }

    #reset(): void {
      this.#pending = NOTHING;
      this.#offset = 0;
      this.#isAtStart = true;
    }
  };
}

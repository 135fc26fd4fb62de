import type { Codec, Encoder, ErrorPolicy } from '@utf8/core';

/** The functions of a codec that encode. */
export type Writer = Pick<Codec, 'encode' | 'Encoder'>;

/** An encoder with the interface of iconv-lite. */
export interface IconvEncoder {
  write(text: string): Uint8Array;
  end(): Uint8Array | undefined;
}

/**
 * Makes the class of encoders of a codec; each can be used for one text after the other.
 *
 * @param toNative - Converts bytes to the class that iconv-lite returns.
 */
export function createEncoder(
  codec: Writer,
  errors: ErrorPolicy,
  toNative: (bytes: Uint8Array) => Uint8Array,
): new () => IconvEncoder {
  // Under other policies, results depend on the offset in the stream.
  const isDirect = errors === 'replace';
  return class implements IconvEncoder {
    #encoder: Encoder | undefined;

    write(text: string): Uint8Array {
      const isFirst = this.#encoder === undefined;
      // Half the time of an encoder, for 6 to 50 characters (Node 20).
      if (isFirst && isDirect && !isHigh(text.charCodeAt(text.length - 1))) {
        return toNative(codec.encode(text, { errors }));
      }
      this.#encoder ??= new codec.Encoder({ errors });
      return toNative(this.#encoder.encode(text, { stream: true }));
    }

    end(): Uint8Array | undefined {
      const rest = this.#encoder?.encode();
      this.#encoder = undefined;
      return rest && toNative(rest);
    }
  };
}

const isHigh = (codeUnit: number): boolean => codeUnit >= 0xd800 && codeUnit <= 0xdbff;

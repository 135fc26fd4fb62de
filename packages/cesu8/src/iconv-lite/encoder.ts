import type { Codec, Encoder, ErrorPolicy } from '@utf8/core';

/** What encodes: a codec, or its functions of these names. */
export type Writer = Pick<Codec, 'encode' | 'Encoder'>;

/** An encoder as iconv-lite has them. */
export interface IconvEncoder {
  write(text: string): Uint8Array;
  end(): Uint8Array | undefined;
}

/**
 * Makes the class of encoders of a codec; each can be used for one text after the other.
 *
 * @param toNative - Makes bytes what iconv-lite's users expect.
 */
export function createEncoder(
  codec: Writer,
  errors: ErrorPolicy,
  toNative: (bytes: Uint8Array) => Uint8Array,
): new () => IconvEncoder {
  // Under other policies it shows how much came before.
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

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** Coders as web streams. */
import { type Bytes, type OwnBytes, toUint8Array } from '../argument/bytes.js';
import { checkText } from '../argument/check.js';
import type {
  Decoder,
  DecoderConstructor,
  DecoderStreamConstructor,
  Encoder,
  EncoderConstructor,
  EncoderStreamConstructor,
} from '../codec/coder.js';
import type { DecodeOptions, EncodeOptions } from '../codec/options.js';
import type {
  TextDecoder,
  TextDecoderConstructor,
  TextDecoderStreamConstructor,
  TextEncoderStreamConstructor,
} from '../codec/text-coder.js';
import type { TransformOf } from '../codec/transform-stream.js';
import { defineInterface } from './web-idl.js';

type DecodingTransform = TransformOf<Bytes, string>;
type EncodingTransform = TransformOf<string, OwnBytes>;

export function createDecoderStream(Decoder: DecoderConstructor): DecoderStreamConstructor {
  return class DecoderStream {
    readonly encoding: string;
    readonly readable: DecodingTransform['readable'];
    readonly writable: DecodingTransform['writable'];

    constructor(options?: DecodeOptions) {
      const decoder = new Decoder(options);
      const { readable, writable } = decodeStream(decoder);
      this.encoding = decoder.encoding;
      this.readable = readable;
      this.writable = writable;
    }
  };
}

export function createEncoderStream(Encoder: EncoderConstructor): EncoderStreamConstructor {
  return class EncoderStream {
    readonly encoding: string;
    readonly readable: EncodingTransform['readable'];
    readonly writable: EncodingTransform['writable'];

    constructor(options?: EncodeOptions) {
      const encoder = new Encoder(options);
      const { readable, writable } = encodeStream(encoder, (chunk) => {
        checkText(chunk);
        return chunk;
      });
      this.encoding = encoder.encoding;
      this.readable = readable;
      this.writable = writable;
    }
  };
}

export function createTextDecoderStream(
  TextDecoder: TextDecoderConstructor,
): TextDecoderStreamConstructor {
  return defineInterface(
    'TextDecoderStream',
    class {
      readonly #decoder: TextDecoder;
      readonly #transform: DecodingTransform;

      constructor(...values: ConstructorParameters<TextDecoderConstructor>) {
        this.#decoder = new TextDecoder(...values);
        this.#transform = decodeStream(this.#decoder);
      }

      get encoding(): string {
        return this.#decoder.encoding;
      }

      get fatal(): boolean {
        return this.#decoder.fatal;
      }

      get ignoreBOM(): boolean {
        return this.#decoder.ignoreBOM;
      }

      get readable(): DecodingTransform['readable'] {
        return this.#transform.readable;
      }

      get writable(): DecodingTransform['writable'] {
        return this.#transform.writable;
      }
    },
  );
}

export function createTextEncoderStream(Encoder: EncoderConstructor): TextEncoderStreamConstructor {
  return defineInterface(
    'TextEncoderStream',
    class {
      readonly #encoder = new Encoder({ errors: 'replace' });
      readonly #transform = encodeStream(this.#encoder, (chunk) => `${chunk}`);

      get encoding(): string {
        return this.#encoder.encoding.toLowerCase();
      }

      get readable(): EncodingTransform['readable'] {
        return this.#transform.readable;
      }

      get writable(): EncodingTransform['writable'] {
        return this.#transform.writable;
      }
    },
  );
}

function decodeStream(decoder: Pick<Decoder, 'decode'>): DecodingTransform {
  return createTransform(
    // A chunk must be bytes; an argument may be left out.
    (chunk) => decoder.decode(toUint8Array(chunk), { stream: true }),
    () => decoder.decode(),
  );
}

/** @param convert - Converts a chunk to a string, or throws. */
function encodeStream(encoder: Encoder, convert: (chunk: string) => string): EncodingTransform {
  return createTransform(
    (chunk) => encoder.encode(convert(chunk), { stream: true }),
    () => encoder.encode(),
  );
}

/** Creates a web stream of a coder's results. As in the standard, it has no empty chunks. */
export function createTransform<In, Out extends { readonly length: number }>(
  push: (chunk: In) => Out,
  flush: () => Out,
): TransformOf<In, Out> {
  const pass = (out: Out, controller: TransformStreamDefaultController<Out>): void => {
    if (out.length > 0) controller.enqueue(out);
  };
  return new TransformStream<In, Out>({
    transform: (chunk, controller) => pass(push(chunk), controller),
    flush: (controller) => pass(flush(), controller),
  });
}

/** Coders as web streams. */
import { type Bytes, type OwnBytes, toUint8Array } from '../argument/bytes.js';
import { checkText } from '../argument/refuse.js';
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

type Decoding = TransformOf<Bytes, string>;
type Encoding = TransformOf<string, OwnBytes>;

export function createDecoderStream(Decoder: DecoderConstructor): DecoderStreamConstructor {
  return class DecoderStream {
    readonly encoding: string;
    readonly readable: Decoding['readable'];
    readonly writable: Decoding['writable'];

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
    readonly readable: Encoding['readable'];
    readonly writable: Encoding['writable'];

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
      readonly #transform: Decoding;

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

      get readable(): Decoding['readable'] {
        return this.#transform.readable;
      }

      get writable(): Decoding['writable'] {
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

      get readable(): Encoding['readable'] {
        return this.#transform.readable;
      }

      get writable(): Encoding['writable'] {
        return this.#transform.writable;
      }
    },
  );
}

function decodeStream(decoder: Pick<Decoder, 'decode'>): Decoding {
  return createTransform(
    // A chunk must be bytes; an argument may be left out.
    (chunk) => decoder.decode(toUint8Array(chunk), { stream: true }),
    () => decoder.decode(),
  );
}

/** @param convert - Converts a chunk to a string, or throws. */
function encodeStream(encoder: Encoder, convert: (chunk: string) => string): Encoding {
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

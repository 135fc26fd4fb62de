/** The shapes of `TextDecoderStream` and `TextEncoderStream`: web streams around a coder. */
import type { Bytes } from './bytes.js';
import type {
  Decoder,
  DecoderOptions,
  DecoderStream,
  Encoder,
  EncoderOptions,
  EncoderStream,
} from './coder.js';

export function createDecoderStream(
  Decoder: new (options?: DecoderOptions) => Decoder,
): new (
  options?: DecoderOptions,
) => DecoderStream {
  return class implements DecoderStream {
    readonly encoding: string;
    readonly fatal: boolean;
    readonly ignoreBOM: boolean;
    readonly readable: ReadableStream<string>;
    readonly writable: WritableStream<Bytes>;

    constructor(options?: DecoderOptions) {
      const decoder = new Decoder(options);
      this.encoding = decoder.encoding;
      this.fatal = decoder.fatal;
      this.ignoreBOM = decoder.ignoreBOM;
      const { readable, writable } = createTransform<Bytes, string>(
        (chunk) => decoder.decode(chunk, { stream: true }),
        () => decoder.decode(),
      );
      this.readable = readable;
      this.writable = writable;
    }
  };
}

export function createEncoderStream(
  Encoder: new (options?: EncoderOptions) => Encoder,
): new (
  options?: EncoderOptions,
) => EncoderStream {
  return class implements EncoderStream {
    readonly encoding: string;
    readonly readable: ReadableStream<Uint8Array>;
    readonly writable: WritableStream<string>;

    constructor(options?: EncoderOptions) {
      const encoder = new Encoder(options);
      this.encoding = encoder.encoding;
      const { readable, writable } = createTransform<string, Uint8Array>(
        (chunk) => encoder.encode(chunk, { stream: true }),
        () => encoder.encode(),
      );
      this.readable = readable;
      this.writable = writable;
    }
  };
}

/** A web stream of a coder's results. Empty ones are not passed on, as the standard has it. */
export function createTransform<In, Out extends { readonly length: number }>(
  push: (chunk: In) => Out,
  flush: () => Out,
): TransformStream<In, Out> {
  const pass = (out: Out, controller: TransformStreamDefaultController<Out>): void => {
    if (out.length > 0) controller.enqueue(out);
  };
  return new TransformStream<In, Out>({
    transform: (chunk, controller) => pass(push(chunk), controller),
    flush: (controller) => pass(flush(), controller),
  });
}

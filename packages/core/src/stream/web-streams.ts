/** The shapes of `TextDecoderStream` and `TextEncoderStream`: web streams around a coder. */
import type { Bytes, OwnBytes } from '../argument/bytes.js';
import type {
  DecoderConstructor,
  DecoderOptions,
  DecoderStream,
  DecoderStreamConstructor,
  EncoderConstructor,
  EncoderOptions,
  EncoderStream,
  EncoderStreamConstructor,
} from '../codec/coder.js';
import type { TransformOf } from '../codec/transform-stream.js';

export function createDecoderStream(Decoder: DecoderConstructor): DecoderStreamConstructor {
  return class implements DecoderStream {
    readonly encoding: string;
    readonly fatal: boolean;
    readonly ignoreBOM: boolean;
    readonly readable: DecoderStream['readable'];
    readonly writable: DecoderStream['writable'];

    constructor(first?: string | DecoderOptions, second?: DecoderOptions) {
      const decoder = new Decoder(first as string, second);
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

export function createEncoderStream(Encoder: EncoderConstructor): EncoderStreamConstructor {
  return class implements EncoderStream {
    readonly encoding: string;
    readonly readable: EncoderStream['readable'];
    readonly writable: EncoderStream['writable'];

    constructor(first?: string | EncoderOptions, second?: EncoderOptions) {
      const encoder = new Encoder(first as string, second);
      this.encoding = encoder.encoding;
      const { readable, writable } = createTransform<string, OwnBytes>(
        (chunk) => encoder.encode(chunk, { stream: true }),
        () => encoder.encode(),
      );
      this.readable = readable;
      this.writable = writable;
    }
  };
}

/** Makes a web stream of a coder's results. Empty ones are not passed on, as the standard has it. */
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

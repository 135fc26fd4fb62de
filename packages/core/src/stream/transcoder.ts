import { type Bytes, type OwnBytes, toUint8Array } from '../argument/bytes.js';
import type { CodecCore } from '../codec/codec.js';
import type { TransformOf } from '../codec/transform-stream.js';
import { checkPolicy, checkSize, type ErrorPolicy } from '../fault/policy.js';
import {
  appendCodePoint,
  createTranscodeSink,
  type Route,
  removeHigh,
  routeBetween,
  TRANSCODE_OPTIONS,
  type TranscodeOptions,
  transcodeInto,
} from '../transcode.js';
import { createCarry } from './carry.js';
import { createTransform } from './web-streams.js';

/**
 * Converts a stream of bytes chunk by chunk; see {@link transcode}. Chunks may be cut anywhere.
 *
 * @example
 * ```ts
 * import { Transcoder } from '@utf8/core';
 * import * as cesu8 from '@utf8/cesu8';
 * import * as utf8 from '@utf8/strict';
 *
 * const transcoder = new Transcoder(cesu8, utf8);
 * transcoder.push(Uint8Array.of(0x41, 0xed, 0xa0, 0xbd, 0xed)); // => Uint8Array.of(0x41)
 * transcoder.push(Uint8Array.of(0xb8, 0x80)); // => Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)
 * transcoder.flush(); // => new Uint8Array(0)
 * ```
 */
export class Transcoder {
  readonly #route: Route;
  readonly #policy: ErrorPolicy;
  readonly #pass: ReturnType<typeof createCarry>;
  /** The high surrogate at the end of the output, if a low one may follow: at most one element. */
  #high: readonly number[] = [];

  /**
   * @param from - The codec of the input.
   * @param to - The codec of the result.
   * @param options - The policy for faults.
   * @throws TypeError if an argument is of the wrong type, such as a label instead of a codec.
   */
  constructor(from: CodecCore, to: CodecCore, options?: TranscodeOptions) {
    this.#policy = checkPolicy(options, TRANSCODE_OPTIONS);
    this.#route = routeBetween(from, to, this.#policy);
    this.#pass = createCarry(this.#route.from.packed.longest);
  }

  /**
   * Converts the next bytes. A sequence that continues in the next chunk is kept until then.
   *
   * @param chunk - The next bytes of the stream, cut anywhere.
   * @returns The bytes that are certain so far, in memory of their own.
   * @throws DecodeError as {@link transcode} does; its offset counts bytes from the start of the stream.
   *   The transcoder is then reset.
   * @throws EncodeError if a policy function returns text that the target cannot encode.
   * @throws RangeError if the result is larger than the platform can allocate.
   * @throws TypeError if the chunk is neither a buffer nor a view of one, or a policy function leaves an
   *   unfinished character in the transcoder that called it.
   */
  push(chunk: Bytes): OwnBytes {
    return this.#transcode(toUint8Array(chunk), false);
  }

  /**
   * Ends the stream. The transcoder can then be used for another.
   *
   * @returns The remaining bytes, in memory of their own.
   * @throws DecodeError if the stream ends within a sequence, under `strict`.
   * @throws EncodeError if a policy function returns text that the target cannot encode.
   */
  flush(): OwnBytes {
    return this.#transcode(new Uint8Array(0), true);
  }

  #transcode(chunk: Uint8Array, isLast: boolean): OwnBytes {
    const route = this.#route;
    const sink = createTranscodeSink(route, this.#policy, chunk.length);
    for (const before of this.#high) appendCodePoint(sink, route.to, before);
    this.#high = [];
    this.#pass(chunk, isLast, (bytes, from, base, isLast) =>
      transcodeInto(sink, route, bytes, from, this.#policy, base, isLast),
    );
    checkSize(this.#high, 0);
    const high = isLast ? undefined : removeHigh(sink, route.to);
    if (high !== undefined) this.#high = [high];
    return sink.finish();
  }
}

/**
 * A {@link Transcoder} as a web stream: bytes in, bytes out.
 *
 * @example
 * ```ts
 * import { TranscoderStream } from '@utf8/core';
 * import * as cesu8 from '@utf8/cesu8';
 * import * as utf8 from '@utf8/strict';
 *
 * const dump = new Blob([Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)]).stream();
 * await new Response(dump.pipeThrough(new TranscoderStream(cesu8, utf8))).text(); // => '😀'
 * ```
 */
export class TranscoderStream {
  /** The converted bytes, in chunks. A fault ends it with the errors of {@link Transcoder.push}. */
  readonly readable: TransformOf<Bytes, OwnBytes>['readable'];
  /** Accepts the bytes to convert, in chunks that may be cut anywhere. */
  readonly writable: TransformOf<Bytes, OwnBytes>['writable'];

  /**
   * @param from - The codec of the input.
   * @param to - The codec of the result.
   * @param options - The policy for faults.
   * @throws TypeError if an argument is of the wrong type, such as a label instead of a codec.
   */
  constructor(from: CodecCore, to: CodecCore, options?: TranscodeOptions) {
    const transcoder = new Transcoder(from, to, options);
    const { readable, writable } = createTransform<Bytes, OwnBytes>(
      (chunk) => transcoder.push(chunk),
      () => transcoder.flush(),
    );
    this.readable = readable;
    this.writable = writable;
  }
}

import { type Bytes, toUint8Array } from '../argument/bytes.js';
import type { CodecCore } from '../codec/codec.js';
import { checkPolicy, type ErrorPolicy } from '../fault/policy.js';
import { ByteSink } from '../rows/byte-sink.js';
import {
  createOwnRoute,
  type Route,
  TRANSCODE_OPTIONS,
  type TranscodeOptions,
  transcodeInto,
} from '../transcode.js';

/** Size of {@link BlockTranscoder.input} without a kernel, in bytes. */
const SIZE = 0x4_0000;

/**
 * Transcodes blocks without a copy or an allocation: programs read bytes into the memory of a kernel and
 * write results from there.
 *
 * Each object has its own 832 KiB of memory, because a program may transcode other blocks while it waits
 * to read or to write.
 *
 * @example
 * ```ts
 * import { BlockTranscoder } from '@utf8/core/internal';
 * import * as cesu8 from '@utf8/cesu8';
 * import * as utf8 from '@utf8/strict';
 *
 * const blocks = new BlockTranscoder(cesu8, utf8);
 * blocks.input.set([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]); // or fs.readSync(fd, blocks.input)
 * blocks.transcode(blocks.input.subarray(0, 6)).slice(); // => Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)
 * ```
 */
export class BlockTranscoder {
  /** Memory to read bytes into, 256 KiB. Bytes from elsewhere can be transcoded, too. */
  readonly input: Uint8Array;
  readonly #route: Route;
  readonly #policy: ErrorPolicy;
  /** Memory of results. If a result needs more, the larger memory is kept. */
  #output: Uint8Array;

  /**
   * @param from - The codec of the input.
   * @param to - The codec of the result.
   */
  constructor(from: CodecCore, to: CodecCore, options?: TranscodeOptions) {
    this.#policy = checkPolicy(options, TRANSCODE_OPTIONS);
    this.#route = createOwnRoute(from, to, this.#policy);
    const { memory } = this.#route.direct ?? {};
    this.input = memory?.input ?? new Uint8Array(SIZE);
    this.#output = memory?.output ?? new Uint8Array(SIZE);
  }

  /**
   * Converts whole characters, as `transcode` does.
   *
   * @returns A view of the result, valid until the next call.
   * @throws As `transcode` does.
   */
  transcode(bytes: Bytes): Uint8Array {
    const input = toUint8Array(bytes);
    const sink = new ByteSink(this.#output);
    transcodeInto(sink, this.#route, input, 0, this.#policy, 0, true);
    this.#output = sink.memory;
    return sink.memory.subarray(0, sink.length);
  }
}

import { type Bytes, toUint8Array } from './bytes.js';
import type { Decoder, DecoderOptions } from './coder.js';
import { decodeInto, findBom, StringSink } from './decode.js';
import { type Engine, engineFor } from './engine.js';
import { join, NOTHING } from './pending.js';
import { checkPolicy, type ErrorPolicy } from './policy.js';

export function createDecoder(engine: Engine): new (options?: DecoderOptions) => Decoder {
  return class implements Decoder {
    readonly encoding = engine.name;
    readonly fatal: boolean;
    readonly ignoreBOM: boolean;
    readonly #policy: ErrorPolicy;
    #pending = NOTHING;
    /** Where in the stream the pending bytes begin. */
    #offset = 0;

    constructor({ fatal = false, ignoreBOM = false, errors }: DecoderOptions = {}) {
      this.#policy = checkPolicy(errors, fatal ? 'strict' : 'replace');
      this.fatal = this.#policy === 'strict';
      this.ignoreBOM = Boolean(ignoreBOM);
    }

    decode(
      input: Bytes = NOTHING,
      { stream = false }: { stream?: boolean | undefined } = {},
    ): string {
      const policy = this.#policy;
      const offset = this.#offset;
      const bytes = join(this.#pending, toUint8Array(input));
      const from = offset === 0 && !this.ignoreBOM ? findBom(engine, bytes) : 0;
      const sink = new StringSink(engine);
      // Before the loop, so that a fault that throws leaves a fresh decoder.
      this.#pending = NOTHING;
      this.#offset = 0;
      const read = decodeInto(
        sink,
        engineFor(engine, policy),
        bytes,
        from,
        policy,
        offset,
        !stream,
      );
      if (stream) {
        this.#pending = bytes.slice(read);
        this.#offset = offset + read;
      }
      return sink.finish();
    }
  };
}

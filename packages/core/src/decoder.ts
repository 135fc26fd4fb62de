import { type Bytes, toUint8Array } from './bytes.js';
import type { Decoder, DecoderOptions } from './coder.js';
import { decodeInto, StringSink, startsWithBom } from './decode.js';
import { type Engine, engineFor } from './engine.js';
import { join, NOTHING } from './pending.js';
import { checkPolicy, type ErrorPolicy } from './policy.js';
import { scratchOf } from './scratch.js';

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
      const sink = new StringSink(scratchOf(engine.kernel));
      const offset = this.#offset;
      // Before the loop, so that a fault that throws leaves a fresh decoder.
      this.#reset();
      const read = decodeInto(
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
      return sink.finish();
    }

    #reset(): void {
      this.#pending = NOTHING;
      this.#offset = 0;
      this.#isAtStart = true;
    }
  };
}

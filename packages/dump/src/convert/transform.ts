/** Conversion as a Node stream. */
import { Transform, type TransformCallback } from 'node:stream';
import { InputError } from '../error.js';
import { FormatError } from '../format/format-error.js';
import type { Source } from '../open/source.js';
import { type ContentOptions, createPlan } from '../plan.js';
import { recognizeSource } from '../recognized.js';
import type { FaultRefusal, RecordRefusal } from '../rewrite/refusal.js';
import type { RecordStats, TextStats } from './ledger.js';
import { Run, type SinkName, type Sinks } from './run.js';

/** Options of {@link ConvertTransform}. */
export interface ConvertTransformOptions extends ContentOptions {
  /** Number of threads, from 1 to 256; 1 by default. */
  readonly jobs?: number | undefined;
  /**
   * Receives rejected records, in the format of the input and with its header. By default, the first of
   * them ends the stream.
   *
   * @param bytes - A part of a file of rejected records, in memory of its own.
   * @returns Nothing, or a promise that the conversion waits for. If it is rejected, the stream is destroyed with its
   *   error.
   */
  readonly onReject?: ((bytes: Uint8Array) => unknown) | undefined;
}

/**
 * Thrown if something that the policies refuse ends a stream.
 *
 * @example
 * ```ts
 * import { Readable } from 'node:stream';
 * import { text } from 'node:stream/consumers';
 * import { ConvertTransform } from '@utf8/dump';
 *
 * const lone = Buffer.from([0xed, 0xa0, 0xbd]);
 * const convert = new ConvertTransform({ format: 'csv', from: 'cesu-8+utf-8' });
 * const error = await text(Readable.from([lone]).pipe(convert)).catch((error) => error);
 * error.code; // => 'ERR_UTF8_INPUT'
 * error.refusal.kind; // => 'unpaired-surrogate'
 * error.refusal.offset; // => 0
 * ```
 */
export class RefusedError extends InputError {
  /** The refused text and its position. */
  readonly refusal: FaultRefusal | RecordRefusal;

  /** @param refusal - The refused bytes, and their place. */
  constructor(refusal: FaultRefusal | RecordRefusal) {
    const { line, column, offset, bytes } = refusal;
    const what = 'kind' in refusal ? refusal.kind : refusal.reason;
    super(`line ${line}, column ${column}: offset ${offset}: ${what}: ${bytes}`);
    this.refusal = refusal;
  }
}

/**
 * Converts a stream, record by record or as plain text: bytes in, bytes out. Without a format, a dump is
 * recognised by its beginning, and other text is plain text.
 *
 * A refusal destroys the stream with a {@link RefusedError}, malformed input of a format with an
 * {@link InputError}, and a chunk that is not a `Uint8Array` with a `TypeError`.
 *
 * @example
 * ```ts
 * import { Readable } from 'node:stream';
 * import { text } from 'node:stream/consumers';
 * import { ConvertTransform } from '@utf8/dump';
 *
 * const chunks = [Buffer.from('1,'), Uint8Array.of(0xed, 0xa0, 0xbd), Uint8Array.of(0xed, 0xb8, 0x80)];
 * const convert = new ConvertTransform({ format: 'csv', from: 'cesu-8+utf-8' });
 * await text(Readable.from(chunks).pipe(convert)); // => '1,😀'
 * ```
 * @see UTR #26
 */
export class ConvertTransform extends Transform {
  readonly #feed = new Feed();
  readonly #done: Promise<void>;
  #run: Run;

  /**
   * @param options - The encodings, the format, the policies, and a function that receives rejected records.
   * @throws UsageError (`ERR_UTF8_USAGE`) if the options contradict each other.
   * @throws LabelError (`ERR_UTF8_LABEL`) if there is no such encoding.
   * @throws RepairOptionError (`ERR_UTF8_REPAIR_OPTION`) if the policies contradict each other.
   */
  constructor(options: ConvertTransformOptions) {
    super({ decodeStrings: false });
    const sinks = {
      has: (name: SinkName): boolean =>
        name === 'output' || (name === 'rejects' && options.onReject !== undefined),
      write: async (name: SinkName, bytes: Uint8Array): Promise<void> => {
        // Its memory is used again.
        if (bytes.length === 0) return;
        if (name === 'output') this.push(Buffer.from(bytes));
        else await options.onReject?.(bytes.slice());
      },
    };
    this.#run = new Run(createPlan(['-'], options), sinks, undefined, undefined);
    this.#done = this.#convert(options, sinks);
    // Awaited when the input ends, or when the feed is read no more.
    this.#done.catch(() => {});
  }

  /** The statistics so far. */
  get stats(): TextStats | RecordStats {
    return this.#run.ledger.describe();
  }

  /** @internal */
  override _transform(chunk: unknown, _encoding: string, callback: TransformCallback): void {
    if (!(chunk instanceof Uint8Array)) {
      callback(new TypeError('ConvertTransform needs bytes; pass a Buffer or a Uint8Array'));
      return;
    }
    this.#feed.push(chunk).then(
      () => callback(),
      (error) => callback(error),
    );
  }

  /** @internal */
  override _flush(callback: TransformCallback): void {
    this.#feed.end();
    this.#done.then(
      () => callback(),
      (error) => callback(error),
    );
  }

  /** @internal */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#feed.end();
    callback(error);
  }

  async #convert(options: ConvertTransformOptions, sinks: Sinks): Promise<void> {
    try {
      const { format, formatOptions } = options;
      const request = { format, formatOptions, needsRecords: false };
      const { source, chosen } = await recognizeSource(this.#feed, request);
      if (chosen.isRecognized) {
        this.#run = new Run(
          createPlan(['-'], { ...options, ...chosen }),
          sinks,
          undefined,
          undefined,
        );
      }
      const refusal = await this.#run.convert(source);
      if (refusal) throw new RefusedError(refusal);
      await this.#run.finish();
    } catch (error) {
      const failure = error instanceof FormatError ? error.in('-') : error;
      this.#feed.fail(failure);
      throw failure;
    }
  }
}

/** The chunks that are written to a stream, as a source. */
class Feed implements Source {
  readonly name = '-';
  readonly size = undefined;
  #chunk: Uint8Array = new Uint8Array();
  #isOver = false;
  #failure: unknown;
  /** Settles the last push, and wakes the reader. */
  #taken: { resolve(): void; reject(error: unknown): void } | undefined;
  #wake: (() => void) | undefined;

  /** Offers a chunk, and waits until it has been read. */
  push(chunk: Uint8Array): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (chunk.length === 0) return Promise.resolve();
    this.#chunk = chunk;
    this.#wake?.();
    return new Promise((resolve, reject) => {
      this.#taken = { resolve, reject };
    });
  }

  end(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#failure = error;
    this.#taken?.reject(error);
  }

  async read(into: Uint8Array): Promise<number> {
    while (this.#chunk.length === 0) {
      this.#taken?.resolve();
      this.#taken = undefined;
      if (this.#isOver) return 0;
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    const taken = this.#chunk.subarray(0, into.length);
    into.set(taken);
    this.#chunk = this.#chunk.subarray(taken.length);
    return taken.length;
  }

  async verify(): Promise<void> {}

  async close(): Promise<void> {}
}

/** Converts bytes from or to UTF-8 by the kernel of the other encoding. */
import { bufferOf, offsetOf } from '../argument/bytes.js';
import { copy, type Kernel, load } from './kernel.js';
import type { Progress } from './loops.js';
import { instantiate, type Module } from './module.js';

/** Converts one window of bytes, as far as it is certainly well-formed. */
export interface TranscodeWindow {
  (
    source: Uint8Array,
    from: number,
    to: number,
    target: Uint8Array,
    at: number,
    progress: Progress,
  ): void;
  /** Least room in the target for each byte of the source, in bytes. */
  readonly growth: number;
  /** The memory of the kernel: a source in `input` is read in place. */
  readonly memory: { readonly input: Uint8Array; readonly output: Uint8Array };
}

/**
 * Finds the conversion of one kernel's encoding to another's.
 *
 * @param inOwnMemory - True if nothing else may use the memory of the conversion.
 * @returns Undefined if neither kernel converts, or none can run.
 */
export function findTranscode(
  source: Kernel,
  target: Kernel,
  inOwnMemory: boolean,
): TranscodeWindow | undefined {
  const find = (kernel: Kernel): Module | undefined =>
    inOwnMemory && kernel.load() ? instantiate(kernel.wasm) : kernel.load();
  if (target.facts.writesUtf8) {
    const module = find(source);
    if (!module?.toUtf8) return undefined;
    const { validate, validateForUtf8 = validate, toUtf8 } = module;
    return createTranscode(module, validateForUtf8, toUtf8, 1);
  }
  const module = source.facts.readsUtf8 ? find(target) : undefined;
  if (!module?.validateUtf8 || !module.fromUtf8) return undefined;
  return createTranscode(module, module.validateUtf8, module.fromUtf8, 2);
}

function createTranscode(
  module: Module,
  validate: (at: number, bytes: number) => number,
  convert: (at: number, bytes: number, to: number) => number,
  growth: number,
): TranscodeWindow {
  const { input, bytes: output, inputAt, outputAt } = module;
  const run = (
    source: Uint8Array,
    from: number,
    to: number,
    target: Uint8Array,
    at: number,
    progress: Progress,
  ): void => {
    // A source in the part for output would be overwritten while it is read.
    const offset = offsetOf(source);
    const isHere = bufferOf(source) === input.buffer && offset < outputAt;
    if (!isHere) load(module, source, from, to);
    const place = isHere ? offset + from : inputAt;
    const read = validate(place, to - from);
    if (target === output) {
      progress.written = at + convert(place, read, outputAt + at);
    } else {
      const written = convert(place, read, outputAt);
      copy(output, 0, written, target, at);
      progress.written = at + written;
    }
    progress.read = from + read;
  };
  return Object.assign(run, { growth, memory: { input, output } });
}

import { lengthOf, type OwnBytes } from '../argument/bytes.js';
import type { EncodeOptions } from '../codec/codec.js';
import type { Accelerator } from '../read/engine.js';
import { findScratch, type Kernel, type Progress, WINDOW } from '../read/kernel.js';
import { allocate } from './byte-sink.js';
import { shareScratch } from './scratch.js';
import { SHORT_TEXT } from './short-text.js';
import type { EncodeWay } from './way.js';
import { createWindows } from './windows.js';

const progress: Progress = { read: 0, written: 0 };

/** No character has more UTF-16 code units. */
const LONGEST = 2;

/** Tells whether options ask for a policy that only what cannot be encoded concerns. */
function isPlain(options: EncodeOptions | undefined): boolean {
  if (options === undefined) return true;
  if (typeof options !== 'object' || options === null) return false;
  const { errors = 'strict' } = options;
  return errors === 'strict' || errors === 'replace';
}

export const encodeWay: EncodeWay = {
  createEncode({ accelerator, packed }, encode) {
    if (!accelerator) return undefined;
    const { kernel, loops } = accelerator;
    return (text, options) => {
      if (typeof text === 'string' && isPlain(options)) {
        const { length } = text;
        if (length > SHORT_TEXT) {
          const bytes = kernel.encodeWhole(text);
          if (bytes) return bytes;
          const long = length > WINDOW ? encodeLong(accelerator, packed.growth, text) : undefined;
          if (long) return long;
        } else {
          const { bytes } = shareScratch();
          loops.encode(text, 0, length, bytes, 0, progress);
          if (progress.read === length) return bytes.slice(0, progress.written) as OwnBytes;
        }
      }
      return encode(text, options);
    };
  },

  encodeInto({ accelerator, packed }, text, target, done) {
    if (!accelerator) return false;
    const { kernel, loops } = accelerator;
    const { length } = text;
    const room = lengthOf(target);
    if (length > SHORT_TEXT) return kernel.encodeWholeInto(text, target, room, done);
    if (length * packed.growth > room) return false;
    loops.encode(text, 0, length, target, 0, done);
    return done.read === length;
  },

  findScratch: ({ accelerator }, size) => findScratch(accelerator?.kernel, size),

  advance({ accelerator, packed }, text, sink) {
    if (!accelerator) return undefined;
    const { kernel, loops } = accelerator;
    const isReady = findScratch(kernel, text.length) !== undefined;
    const finish = (): number => {
      sink.length = progress.written;
      return progress.read;
    };
    return createWindows(
      isReady &&
        ((from, to) => {
          sink.reserve((to - from) * packed.growth);
          kernel.encode(text, from, to, sink.memory, sink.length, progress);
          return finish();
        }),
      (from, to) => {
        // The last character may end one code unit after the window.
        sink.reserve((to - from + 1) * packed.growth);
        loops.encode(text, from, to, sink.memory, sink.length, progress);
        return finish();
      },
      LONGEST,
    );
  },
};

/**
 * Encodes window after window. What may outgrow the scratch is counted first, which costs less than
 * copying it (1 MiB, Node 20).
 */
function encodeLong({ kernel }: Accelerator, growth: number, text: string): OwnBytes | undefined {
  const scratch = kernel.scratch?.bytes;
  if (!scratch) return undefined;
  const fits = text.length * growth <= scratch.length;
  const total = encodeWindows(kernel, text, scratch, fits);
  if (total === undefined) return undefined;
  if (fits) return scratch.slice(0, total) as OwnBytes;
  const bytes = allocate(total);
  encodeWindows(kernel, text, bytes, true);
  return bytes;
}

/**
 * Encodes all of a text into a target, or counts its bytes.
 *
 * @param keeps - Whether windows stand one after the other, or each in the place of the last.
 * @returns The number of bytes; undefined at a doubt.
 */
function encodeWindows(
  kernel: Kernel,
  text: string,
  target: Uint8Array,
  keeps: boolean,
): number | undefined {
  let total = 0;
  for (let from = 0; from < text.length; from = progress.read) {
    const to = Math.min(from + WINDOW, text.length);
    const at = keeps ? total : 0;
    kernel.encode(text, from, to, target, at, progress);
    // The end of a window may cut a pair, and nothing else.
    if (progress.read < to - (to < text.length ? 1 : 0)) return undefined;
    total += progress.written - at;
  }
  return total;
}

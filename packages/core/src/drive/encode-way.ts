import { lengthOf, type OwnBytes } from '../argument/bytes.js';
import type { Accelerator } from '../read/engine.js';
import { findScratch, type Progress, WINDOW } from '../read/kernel.js';
import { allocate } from './byte-sink.js';
import { shareScratch } from './scratch.js';
import { SHORT_TEXT } from './short-text.js';
import type { EncodeWay } from './way.js';
import { createWindows } from './windows.js';

const progress: Progress = { read: 0, written: 0 };

/** No character has more UTF-16 code units. */
const LONGEST = 2;

export const encodeWay: EncodeWay = {
  encode({ accelerator }, text) {
    if (!accelerator) return undefined;
    const { length } = text;
    if (length > SHORT_TEXT) {
      const bytes = accelerator.kernel.encodeWhole(text);
      return bytes ?? (length > WINDOW ? encodeLong(accelerator, text) : undefined);
    }
    const { bytes } = shareScratch();
    accelerator.loops.encode(text, 0, length, bytes, 0, progress);
    return progress.read === length ? (bytes.slice(0, progress.written) as OwnBytes) : undefined;
  },

  encodeInto({ accelerator, packed }, text, target, done) {
    if (!accelerator) return false;
    const { kernel, loops } = accelerator;
    const { length } = text;
    const room = lengthOf(target);
    if (kernel.encodeWholeInto(text, target, room, done)) return true;
    if (length > SHORT_TEXT || length * packed.growth > room) return false;
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

/** Counts first, which costs less than copying what has outgrown its memory (1 MiB, Node 20). */
function encodeLong({ kernel }: Accelerator, text: string): OwnBytes | undefined {
  const scratch = kernel.scratch?.bytes;
  if (!scratch) return undefined;
  let total = 0;
  for (let from = 0; from < text.length; from = progress.read) {
    const to = Math.min(from + WINDOW, text.length);
    kernel.encode(text, from, to, scratch, 0, progress);
    // The end of a window may cut a pair, and nothing else.
    if (progress.read < to - (to < text.length ? 1 : 0)) return undefined;
    total += progress.written;
  }
  const bytes = allocate(total);
  let at = 0;
  for (let from = 0; from < text.length; from = progress.read) {
    kernel.encode(text, from, Math.min(from + WINDOW, text.length), bytes, at, progress);
    at = progress.written;
  }
  return bytes;
}

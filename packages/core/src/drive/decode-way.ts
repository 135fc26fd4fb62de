import { isStable, lengthOf } from '../argument/bytes.js';
import { findScratch, type Progress } from '../read/kernel.js';
import { shareScratch } from './scratch.js';
import { SHORT_TEXT, takeShort } from './short-text.js';
import type { DecodeWay } from './way.js';
import { createWindows } from './windows.js';

const progress: Progress = { read: 0, written: 0 };

export const decodeWay: DecodeWay = {
  decode({ accelerator }, input) {
    if (!accelerator || !isStable(input)) return undefined;
    const length = lengthOf(input);
    if (length > SHORT_TEXT) return accelerator.kernel.decodeWhole(input, length);
    const { codeUnits } = shareScratch();
    accelerator.loops.decode(input, 0, length, codeUnits, 0, progress);
    return progress.read === length ? takeShort(codeUnits, progress.written) : undefined;
  },

  findScratch: ({ accelerator }, size) => findScratch(accelerator?.kernel, size),

  takeText({ accelerator }, scratch, length) {
    return length <= SHORT_TEXT
      ? takeShort(scratch.codeUnits, length)
      : accelerator?.kernel.takeText(scratch, length);
  },

  advance({ accelerator, packed }, bytes, sink) {
    if (!accelerator) return undefined;
    const { kernel, loops } = accelerator;
    const isReady = sink.scratch === findScratch(kernel, bytes.length);
    const finish = (): number => {
      sink.length = progress.written;
      return progress.read;
    };
    return createWindows(
      isReady &&
        ((from, to) => {
          sink.reserve(to - from);
          kernel.decode(bytes, from, to, sink.length, progress);
          return finish();
        }),
      (from, to) => {
        sink.reserve(to - from);
        loops.decode(bytes, from, to, sink.scratch.codeUnits, sink.length, progress);
        return finish();
      },
      packed.longest,
    );
  },
};

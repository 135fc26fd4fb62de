import { lengthOf } from '../argument/bytes.js';
import type { DecodeOptions } from '../codec/codec.js';
import { findScratch, type Progress } from '../read/kernel.js';
import { shareScratch } from './scratch.js';
import { ScratchSink } from './scratch-sink.js';
import { SHORT_TEXT, takeShort } from './short-text.js';
import type { DecodeWay } from './way.js';
import { createWindows } from './windows.js';

const progress: Progress = { read: 0, written: 0 };

/** Tells whether options ask for nothing but the default, spelled out or not. */
function isPlain(options: DecodeOptions | undefined): boolean {
  if (options === undefined) return true;
  if (typeof options !== 'object' || options === null) return false;
  const { errors = 'strict', bom = 'keep' } = options;
  return errors === 'strict' && bom === 'keep';
}

export const decodeWay: DecodeWay = {
  createDecode({ accelerator }, decode) {
    if (!accelerator) return undefined;
    const { kernel, loops } = accelerator;
    return (input, options) => {
      if (isPlain(options) && input instanceof Uint8Array) {
        const length = lengthOf(input);
        if (length > SHORT_TEXT) {
          const text = kernel.decodeWhole(input, length);
          if (text !== undefined) return text;
        } else {
          const { codeUnits } = shareScratch();
          loops.decode(input, 0, length, codeUnits, 0, progress);
          if (progress.read === length) return takeShort(codeUnits, progress.written);
        }
      }
      return decode(input, options);
    };
  },

  createSink: (engine, size) => new ScratchSink(engine, size),

  advance({ accelerator, packed }, bytes, sink) {
    if (!accelerator || !(sink instanceof ScratchSink)) return undefined;
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

import { lengthOf } from '../argument/bytes.js';
import { findScratch } from '../read/kernel.js';
import type { ValidateWay } from './way.js';
import { createWindows } from './windows.js';

export const validateWay: ValidateWay = {
  isValid({ accelerator }, input) {
    return (
      input instanceof Uint8Array &&
      accelerator?.kernel.isWholeValid(input, lengthOf(input)) === true
    );
  },

  advance({ accelerator, packed }, bytes) {
    if (!accelerator) return undefined;
    const { kernel, loops } = accelerator;
    return createWindows(
      findScratch(kernel, bytes.length) !== undefined &&
        ((from, to) => kernel.validate(bytes, from, to)),
      (from, to) => loops.validate(bytes, from, to),
      packed.longest,
    );
  },
};

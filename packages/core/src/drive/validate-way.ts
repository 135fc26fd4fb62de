import { lengthOf } from '../argument/bytes.js';
import { findScratch } from '../read/kernel.js';
import { SHORT_TEXT } from './short-text.js';
import type { ValidateWay } from './way.js';
import { createWindows } from './windows.js';

export const validateWay: ValidateWay = {
  createIsValid({ accelerator }, isValid) {
    if (!accelerator) return undefined;
    const { kernel, loops } = accelerator;
    return (input) => {
      if (input instanceof Uint8Array) {
        const length = lengthOf(input);
        const isSure =
          length <= SHORT_TEXT
            ? loops.validate(input, 0, length) === length
            : kernel.isWholeValid(input, length);
        if (isSure) return true;
      }
      return isValid(input);
    };
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

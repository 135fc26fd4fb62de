import type { Kernel } from '@utf8/core';
import { accelerate } from '@utf8/simd/mutf8';
import { loops } from './loops.js';

export const kernel: Kernel = /* @__PURE__ */ accelerate(loops);

import type { Kernel } from '@utf8/core';
import { loops } from './loops.js';
import { NativeKernel } from './native.js';

export const kernel: Kernel = /* @__PURE__ */ new NativeKernel(loops);

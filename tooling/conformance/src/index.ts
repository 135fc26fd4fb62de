export { testKernels } from './kernels.js';
export { testShortInputs } from './short-inputs.js';
export { testCodec } from './suite.js';

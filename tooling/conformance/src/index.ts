export { testKernels } from './kernels.js';
export { testCodec } from './suite.js';

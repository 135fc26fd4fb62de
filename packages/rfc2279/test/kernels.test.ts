import * as rfc2279 from '@utf8/rfc2279';
import { testKernels } from '../../../tooling/conformance/src/kernels.js';

testKernels('rfc2279', rfc2279);

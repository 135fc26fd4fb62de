import * as rfc2279 from '@utf8/rfc2279';
import * as lax from '@utf8/rfc2279/lax';
import { testKernels } from '../../../tooling/conformance/src/kernels.js';

testKernels('rfc2279', rfc2279);
testKernels('rfc2279/lax', lax);

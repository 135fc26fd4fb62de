import * as strict from '@utf8/strict';
import * as mb3 from '@utf8/strict/mb3';
import { testKernels } from '../../../tooling/conformance/src/kernels.js';

testKernels('strict', strict);
testKernels('strict/mb3', mb3);

import * as wtf8 from '@utf8/wtf8';
import * as generalized from '@utf8/wtf8/generalized';
import { testKernels } from '../../../tooling/conformance/src/kernels.js';

testKernels('wtf8', wtf8);
testKernels('wtf8/generalized', generalized);

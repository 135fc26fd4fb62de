import * as wtf8 from '@utf8/wtf8';
import { testKernels } from '../../../tooling/conformance/src/kernels.js';

testKernels('wtf8', wtf8);

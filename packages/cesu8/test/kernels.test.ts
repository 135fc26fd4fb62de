import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import * as mixed from '@utf8/cesu8/mixed';
import { testKernels } from '../../../tooling/conformance/src/kernels.js';

testKernels('cesu8', cesu8);
testKernels('cesu8/lenient', lenient);
testKernels('cesu8/mixed', mixed);

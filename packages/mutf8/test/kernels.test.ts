import * as mutf8 from '@utf8/mutf8';
import * as android from '@utf8/mutf8/android';
import * as dataInput from '@utf8/mutf8/data-input';
import { testKernels } from '../../../tooling/conformance/src/kernels.js';

testKernels('mutf8', mutf8);
testKernels('mutf8/data-input', dataInput);
testKernels('mutf8/android', android);

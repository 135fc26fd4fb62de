import * as full from '@utf8/mutf8/data-input';
import * as lite from '@utf8/mutf8/data-input/lite';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('mutf8/data-input', full, { third: 3 });
testShortInputs('mutf8/data-input/lite', lite, { third: 3, isSampled: true });

import * as full from '@utf8/mutf8';
import * as lite from '@utf8/mutf8/lite';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('mutf8', full, { third: 3 });
testShortInputs('mutf8/lite', lite, { third: 3, isSampled: true });

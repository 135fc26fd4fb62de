import * as full from '@utf8/mutf8';
import * as lite from '@utf8/mutf8/lite';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('mutf8', full, { half: 1 });
testShortInputs('mutf8/lite', lite, { half: 1, isSampled: true });

import * as full from '@utf8/cesu8';
import * as lite from '@utf8/cesu8/lite';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('cesu8', full, { third: 3 });
testShortInputs('cesu8/lite', lite, { third: 3, isSampled: true });

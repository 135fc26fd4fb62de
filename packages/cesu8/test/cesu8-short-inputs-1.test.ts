import * as full from '@utf8/cesu8';
import * as lite from '@utf8/cesu8/lite';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('cesu8', full, { half: 1 });
testShortInputs('cesu8/lite', lite, { half: 1, isSampled: true });

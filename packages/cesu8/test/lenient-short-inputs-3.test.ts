import * as full from '@utf8/cesu8/lenient';
import * as lite from '@utf8/cesu8/lenient/lite';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('cesu8/lenient', full, { third: 3 });
testShortInputs('cesu8/lenient/lite', lite, { third: 3, isSampled: true });

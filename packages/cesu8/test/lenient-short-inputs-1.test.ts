import * as full from '@utf8/cesu8/lenient';
import * as lite from '@utf8/cesu8/lenient/lite';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('cesu8/lenient', full, { half: 1 });
testShortInputs('cesu8/lenient/lite', lite, { half: 1, isSampled: true });

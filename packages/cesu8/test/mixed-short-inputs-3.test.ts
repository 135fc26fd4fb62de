import * as full from '@utf8/cesu8/mixed';
import * as lite from '@utf8/cesu8/mixed/lite';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('cesu8/mixed', full, { third: 3 });
testShortInputs('cesu8/mixed/lite', lite, { third: 3, isSampled: true });

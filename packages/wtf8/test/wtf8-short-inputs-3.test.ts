import * as full from '@utf8/wtf8';
import * as lite from '@utf8/wtf8/lite';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('wtf8', full, { third: 3 });
testShortInputs('wtf8/lite', lite, { third: 3, isSampled: true });

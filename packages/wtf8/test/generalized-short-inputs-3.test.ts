import * as full from '@utf8/wtf8/generalized';
import * as lite from '@utf8/wtf8/generalized/lite';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('wtf8/generalized', full, { third: 3 });
testShortInputs('wtf8/generalized/lite', lite, { third: 3, isSampled: true });

import * as full from '@utf8/wtf8';
import * as lite from '@utf8/wtf8/lite';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('wtf8', full, { half: 1 });
testShortInputs('wtf8/lite', lite, { half: 1, isSampled: true });

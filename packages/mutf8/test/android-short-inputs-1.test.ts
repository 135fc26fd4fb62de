import * as full from '@utf8/mutf8/android';
import * as lite from '@utf8/mutf8/android/lite';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('mutf8/android', full, { half: 1 });
testShortInputs('mutf8/android/lite', lite, { half: 1, isSampled: true });

import * as full from '@utf8/mutf8/android';
import * as lite from '@utf8/mutf8/android/lite';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('mutf8/android', full, { third: 3 });
testShortInputs('mutf8/android/lite', lite, { third: 3, isSampled: true });

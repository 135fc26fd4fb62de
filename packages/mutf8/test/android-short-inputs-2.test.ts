import * as full from '@utf8/mutf8/android';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('mutf8/android', full, { third: 2 });

import * as full from '@utf8/strict/mb3';
import * as lite from '@utf8/strict/mb3/lite';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('strict/mb3', full, { third: 3 });
testShortInputs('strict/mb3/lite', lite, { third: 3, isSampled: true });

import * as full from '@utf8/rfc2279';
import * as lite from '@utf8/rfc2279/lite';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('rfc2279', full, { third: 3 });
testShortInputs('rfc2279/lite', lite, { third: 3, isSampled: true });

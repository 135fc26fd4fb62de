import * as full from '@utf8/rfc2279';
import * as lite from '@utf8/rfc2279/lite';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('rfc2279', full, { half: 1 });
testShortInputs('rfc2279/lite', lite, { half: 1, isSampled: true });

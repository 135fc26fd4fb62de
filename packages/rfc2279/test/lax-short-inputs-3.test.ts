import * as full from '@utf8/rfc2279/lax';
import * as lite from '@utf8/rfc2279/lax/lite';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('rfc2279/lax', full, { third: 3 });
testShortInputs('rfc2279/lax/lite', lite, { third: 3, isSampled: true });

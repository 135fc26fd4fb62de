import * as full from '@utf8/rfc2279/lax';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('rfc2279/lax', full, { third: 1 });

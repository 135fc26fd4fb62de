import * as full from '@utf8/rfc2279';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('rfc2279', full, { third: 2 });

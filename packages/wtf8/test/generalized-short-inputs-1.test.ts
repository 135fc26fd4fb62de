import * as full from '@utf8/wtf8/generalized';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('wtf8/generalized', full, { third: 1 });

import * as full from '@utf8/mutf8';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('mutf8', full, { third: 2 });

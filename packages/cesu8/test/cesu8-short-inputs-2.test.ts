import * as full from '@utf8/cesu8';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('cesu8', full, { third: 2 });

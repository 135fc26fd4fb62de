import * as full from '@utf8/cesu8/mixed';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('cesu8/mixed', full, { third: 2 });

import * as full from '@utf8/cesu8/lenient';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('cesu8/lenient', full, { third: 1 });

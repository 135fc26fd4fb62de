import * as full from '@utf8/mutf8/data-input';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('mutf8/data-input', full, { third: 2 });

import * as full from '@utf8/wtf8';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('wtf8', full, { third: 2 });

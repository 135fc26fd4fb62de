import * as full from '@utf8/strict/mb3';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

testShortInputs('strict/mb3', full, { third: 1 });

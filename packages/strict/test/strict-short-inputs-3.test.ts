import * as full from '@utf8/strict';
import * as lite from '@utf8/strict/lite';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

const platform = new TextDecoder('utf-8', { ignoreBOM: true });

testShortInputs('strict', full, { third: 3, reference: (bytes) => platform.decode(bytes) });
testShortInputs('strict/lite', lite, { third: 3, isSampled: true });

import * as full from '@utf8/strict';
import { testShortInputs } from '../../../tooling/conformance/src/short-inputs.js';

const platform = new TextDecoder('utf-8', { ignoreBOM: true });

testShortInputs('strict', full, { third: 2, reference: (bytes) => platform.decode(bytes) });

import * as full from '@utf8/strict';
import * as lite from '@utf8/strict/lite';
import { testCodec } from '../../../tooling/conformance/src/suite.js';

testCodec('strict', full);
testCodec('strict/lite', lite, { isSampled: true });

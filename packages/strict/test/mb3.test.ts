import * as full from '@utf8/strict/mb3';
import * as lite from '@utf8/strict/mb3/lite';
import { testCodec } from '../../../tooling/conformance/src/suite.js';

testCodec('strict/mb3', full);
testCodec('strict/mb3/lite', lite, { isSampled: true });

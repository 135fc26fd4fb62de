import * as full from '@utf8/cesu8/mixed';
import * as lite from '@utf8/cesu8/mixed/lite';
import { testCodec } from '../../../tooling/conformance/src/suite.js';

testCodec('cesu8/mixed', full);
testCodec('cesu8/mixed/lite', lite, { isSampled: true });

import * as full from '@utf8/cesu8';
import * as lite from '@utf8/cesu8/lite';
import { testCodec } from '../../../tooling/conformance/src/suite.js';

testCodec('cesu8', full);
testCodec('cesu8/lite', lite, { isSampled: true });

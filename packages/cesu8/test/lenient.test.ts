import * as full from '@utf8/cesu8/lenient';
import * as lite from '@utf8/cesu8/lenient/lite';
import { testCodec } from '../../../tooling/conformance/src/suite.js';

testCodec('cesu8/lenient', full);
testCodec('cesu8/lenient/lite', lite, { isSampled: true });

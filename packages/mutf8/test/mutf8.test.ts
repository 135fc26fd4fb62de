import * as full from '@utf8/mutf8';
import * as lite from '@utf8/mutf8/lite';
import { testCodec } from '../../../tooling/conformance/src/suite.js';

testCodec('mutf8', full);
testCodec('mutf8/lite', lite, { isSampled: true });

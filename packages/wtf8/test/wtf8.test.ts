import * as full from '@utf8/wtf8';
import * as lite from '@utf8/wtf8/lite';
import { testCodec } from '../../../tooling/conformance/src/suite.js';

testCodec('wtf8', full);
testCodec('wtf8/lite', lite, { isSampled: true });

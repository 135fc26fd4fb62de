import * as full from '@utf8/wtf8/generalized';
import * as lite from '@utf8/wtf8/generalized/lite';
import { testCodec } from '../../../tooling/conformance/src/suite.js';

testCodec('wtf8/generalized', full);
testCodec('wtf8/generalized/lite', lite, { isSampled: true });

import * as full from '@utf8/rfc2279';
import * as lite from '@utf8/rfc2279/lite';
import { testCodec } from '../../../tooling/conformance/src/suite.js';

testCodec('rfc2279', full);
testCodec('rfc2279/lite', lite, { isSampled: true });

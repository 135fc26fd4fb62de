import * as full from '@utf8/mutf8/data-input';
import * as lite from '@utf8/mutf8/data-input/lite';
import { testCodec } from '../../../tooling/conformance/src/suite.js';

testCodec('mutf8/data-input', full);
testCodec('mutf8/data-input/lite', lite, { isSampled: true });

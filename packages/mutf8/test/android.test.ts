import * as full from '@utf8/mutf8/android';
import * as lite from '@utf8/mutf8/android/lite';
import { testCodec } from '../../../tooling/conformance/src/suite.js';

testCodec('mutf8/android', full);
testCodec('mutf8/android/lite', lite, { isSampled: true });

import * as mutf8 from '@utf8/mutf8';
import * as dataInput from '@utf8/mutf8/data-input';
import * as lite from '@utf8/mutf8/lite';
import { testCodec } from '../src/index.js';

testCodec('mutf8', mutf8);
testCodec('mutf8/lite', lite);
testCodec('mutf8/data-input', dataInput);

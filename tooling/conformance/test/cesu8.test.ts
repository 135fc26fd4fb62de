import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import * as lite from '@utf8/cesu8/lite';
import * as mixed from '@utf8/cesu8/mixed';
import { testCodec } from '../src/index.js';

testCodec('cesu8', cesu8);
testCodec('cesu8/lite', lite);
testCodec('cesu8/lenient', lenient);
testCodec('cesu8/mixed', mixed);

/** The suite, on every published codec and profile: with its kernel, and on the tables alone. */
import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import * as cesu8Lite from '@utf8/cesu8/lite';
import * as mixed from '@utf8/cesu8/mixed';
import * as strict from '@utf8/strict';
import * as strictLite from '@utf8/strict/lite';
import { testCodec } from '../src/index.js';

const native = new TextDecoder('utf-8', { ignoreBOM: true });

testCodec('strict', strict, (bytes) => native.decode(bytes));
testCodec('strict/lite', strictLite);
testCodec('cesu8', cesu8);
testCodec('cesu8/lite', cesu8Lite);
testCodec('cesu8/lenient', lenient);
testCodec('cesu8/mixed', mixed);

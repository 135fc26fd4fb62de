import * as strict from '@utf8/strict';
import * as lite from '@utf8/strict/lite';
import { testCodec } from '../src/index.js';

const native = new TextDecoder('utf-8', { ignoreBOM: true });

testCodec('strict', strict, (bytes) => native.decode(bytes));
testCodec('strict/lite', lite);

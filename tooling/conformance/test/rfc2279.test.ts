import * as rfc2279 from '@utf8/rfc2279';
import * as lite from '@utf8/rfc2279/lite';
import { testCodec } from '../src/index.js';

testCodec('rfc2279', rfc2279);
testCodec('rfc2279/lite', lite);

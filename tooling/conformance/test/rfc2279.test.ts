import * as rfc2279 from '@utf8/rfc2279';
import { testCodec } from '../src/index.js';

// There is no kernel, so /lite is the same module.
testCodec('rfc2279', rfc2279);

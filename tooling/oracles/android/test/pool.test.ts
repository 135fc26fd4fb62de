/** The encoding of string pools in UTF-8, by the suite that every codec inherits. */
import { testCodec } from '@utf8/conformance';
import * as pool from '../../../../packages/classfile/src/generated/resources/pool/index.js';

testCodec('classfile/resources/pool', pool, { leads: 32 });

/** The encoding of string pools in UTF-8, by the suite that every codec inherits. */
import { testCodec } from '../../../../tooling/conformance/src/index.js';
import * as pool from '../../src/generated/resources/pool/index.js';

testCodec('classfile/resources/pool', pool);

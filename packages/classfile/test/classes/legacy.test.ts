/** The encoding of old class files, by the suite that every codec inherits. */
import { testCodec } from '../../../../tooling/conformance/src/index.js';
import * as legacy from '../../src/generated/legacy/index.js';

testCodec('classfile/legacy', legacy);

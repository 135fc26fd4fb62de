/** The encoding of old class files, by the suite that every codec inherits. */
import { testCodec } from '@utf8/conformance';
import * as legacy from '../../../../packages/classfile/src/generated/legacy/index.js';

testCodec('classfile/legacy', legacy, { leads: 32 });

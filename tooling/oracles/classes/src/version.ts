/** Classes of different versions with bytes as a constant. */
import { type ClassFileError, readClass } from '@utf8/classfile';
import { formatUnits } from '../../interop/src/answer.js';
import {
  assemble,
  attribute,
  type Bytes,
  classRef,
  list,
  member,
  string,
  u2,
  u4,
  utf8,
} from './assemble.js';

/** `public static final String V = the bytes;` */
export const withConstant = (major: number, bytes: Uint8Array): Uint8Array =>
  assemble({
    major,
    constants: [
      utf8('V'),
      utf8('Ljava/lang/String;'),
      utf8('ConstantValue'),
      utf8([...bytes]),
      string(8),
    ],
    fields: [member(5, 6, attribute(7, u2(9)))],
  });

/** Reads such a class with our code: returns the constant's code units, or a refusal. */
export function readConstant(major: number, bytes: Uint8Array): string {
  try {
    const constant = readClass(withConstant(major, bytes)).strings[5];
    return `ok ${formatUnits(constant?.string as string)}`;
  } catch (error) {
    if ((error as ClassFileError).reason !== 'malformed-utf8') throw error;
    return 'fault';
  }
}

/** Instructions of `return new String[] { constant 9 }`. */
const RETURN_TEXT: Bytes = [0x04, 0xbd, ...u2(11), 0x59, 0x03, 0x12, 9, 0x53, 0xb0];

/**
 * A class of version 45 with `static String[] texts()`, which returns a text from line 7 of the source.
 *
 * @param isLong - Whether the fields of its attribute `Code` are as long as from version 45.3 on.
 */
export function withCode(minor: number, isLong: boolean, text: string): Uint8Array {
  const [u, v] = isLong ? [u2, u4] : [(value: number): Bytes => [value], u2];
  const lines = attribute(12, list([...u2(0), ...u2(7)]));
  const code = [...u(4), ...u(0), ...v(RETURN_TEXT.length), ...RETURN_TEXT];
  return assemble({
    major: 45,
    minor,
    constants: [
      utf8('texts'),
      utf8('()[Ljava/lang/String;'),
      utf8('Code'),
      utf8(text),
      string(8),
      utf8('java/lang/String'),
      classRef(10),
      utf8('LineNumberTable'),
    ],
    methods: [member(5, 6, attribute(7, [...code, ...list(), ...list(lines)]))],
  });
}

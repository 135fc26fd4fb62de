/** Classes of different versions with bytes as a constant. */
import { type ClassFileError, readClass } from '@utf8/classfile';
import { formatUnits } from '../../interop/src/answer.js';
import { assemble, attribute, member, string, u2, utf8 } from './assemble.js';

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

/** The ways to write the same bytes elsewhere: in programs, shells, links and test vectors. */
import { digitsOf, formatHex } from './notation.js';

/** One way to write bytes. */
export interface CopyForm {
  readonly name: string;
  readonly write: (bytes: Uint8Array) => string;
}

const list = (bytes: Uint8Array, before: string, after = ''): string =>
  Array.from(bytes, (byte) => `${before}${digitsOf(byte)}${after}`).join(', ');

const prefixEach = (bytes: Uint8Array, prefix: string): string =>
  Array.from(bytes, (byte) => `${prefix}${digitsOf(byte)}`).join('');

/** A character for each byte; the arguments of one call are limited. */
function toBinaryString(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; i += 0x8000) {
    parts.push(String.fromCharCode(...bytes.subarray(i, i + 0x8000)));
  }
  return parts.join('');
}

export const copyForms: readonly CopyForm[] = [
  { name: 'Hexadecimal', write: formatHex },
  { name: 'Base64', write: (bytes) => btoa(toBinaryString(bytes)) },
  { name: 'Percent-encoded', write: (bytes) => prefixEach(bytes, '%').toUpperCase() },
  { name: 'JavaScript', write: (bytes) => `Uint8Array.of(${list(bytes, '0x')})` },
  { name: 'Python', write: (bytes) => `b'${prefixEach(bytes, '\\x')}'` },
  {
    name: 'Java',
    write: (bytes) => `new byte[] {${list(bytes, '(byte) 0x')}}`,
  },
  { name: 'C', write: (bytes) => `unsigned char bytes[] = {${list(bytes, '0x')}};` },
  { name: 'Rust', write: (bytes) => `[${list(bytes, '0x')}]` },
  { name: 'Go', write: (bytes) => `[]byte{${list(bytes, '0x')}}` },
  {
    name: 'Shell',
    // POSIX has octal escapes alone.
    write: (bytes) =>
      `printf '${Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}'`,
  },
  { name: 'Command', write: (bytes) => `utf8 explain --hex "${formatHex(bytes)}"` },
  {
    name: 'Test vector',
    write: (bytes) => JSON.stringify({ bytes: prefixEach(bytes, ''), description: '' }),
  },
];

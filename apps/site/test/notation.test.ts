/** Tests of the notations that the playground accepts for bytes, and of copying bytes from it. */
import { describe, expect, it } from 'vitest';
import { copyForms } from '../src/playground/copy-forms.js';
import { encodeText } from '../src/playground/encode-text.js';
import { formatHex, isAlmostBytes, readNotation } from '../src/playground/notation.js';

const read = (text: string): string | undefined => {
  const bytes = readNotation(text);
  return bytes && formatHex(bytes);
};

describe('readNotation', () => {
  it.each([
    'ED A0 BD',
    'eda0bd',
    '0xED, 0xA0, 0xBD',
    '0xED,0xA0,0xBD',
    '\\xED\\xA0\\xBD',
    '%ED%A0%BD',
    'ED:A0:BD',
    'ed-a0-bd',
    '[237, 160, 189]',
    'Uint8Array.of(0xed, 0xa0, 0xbd)',
    'new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0xBD}',
    "b'\\xed\\xa0\\xbd'",
    '00000000: eda0 bd                                  ...',
    '00000000  ed a0 bd                                          |...|\n00000003',
    '0000000 ed a0 bd\n0000003',
  ])('reads %s', (text) => expect(read(text)).toBe('ED A0 BD'));

  it('reads a dump of several lines', () => {
    const dump = `00000000: 3031 3233 3435 3637 3839 6162 6364 6566  0123456789abcdef
00000010: eda0 bd0a                                ....
`;
    expect(read(dump)).toBe('30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66 ED A0 BD 0A');
  });

  it.each(['ED A0 B', 'ED A', 'héllo', 'U+D83D', '12:30:4', '[1, 256]'])('refuses %s', (text) =>
    expect(read(text)).toBeUndefined(),
  );

  it('reads a million bytes without spaces', () =>
    expect(readNotation('ed'.repeat(1_000_000))?.length).toBe(1_000_000));
});

describe('isAlmostBytes', () => {
  it.each(['ED A0 B', '0xED, 0xA0, 0x', '%ED%A', 'ED A'])('is true of %s', (text) =>
    expect(isAlmostBytes(text)).toBe(true),
  );
  it.each(['a bad cafe for all', 'héllo', 'a', '', 'ED is a lead'])('is false of "%s"', (text) =>
    expect(isAlmostBytes(text)).toBe(false),
  );
});

describe('encodeText', () => {
  it('writes a lone surrogate in three bytes', () => {
    expect(formatHex(encodeText('a\ud83db'))).toBe('61 ED A0 BD 62');
    expect(formatHex(encodeText('\ude00\ud83d'))).toBe('ED B8 80 ED A0 BD');
    expect(formatHex(encodeText('😀\ud83d'))).toBe('F0 9F 98 80 ED A0 BD');
  });

  it('writes megabytes', () =>
    expect(encodeText('größer 漢字 '.repeat(200_000)).length).toBe(3_200_000));
});

it.each(
  copyForms
    .filter(({ name }) => !['Base64', 'Shell', 'Command', 'Test vector'].includes(name))
    .map((form) => [form.name, form] as const),
)('reads what is copied as %s', (_, { write }) =>
  expect(read(write(Uint8Array.of(0xed, 0xa0, 0xbd)))).toBe('ED A0 BD'),
);

it.each(copyForms.map((form) => [form.name, form] as const))(
  // More than a call can have arguments.
  'copies 256 KiB as %s',
  (_, { write }) => expect(write(new Uint8Array(1 << 18)).length).toBeGreaterThan(1 << 18),
);

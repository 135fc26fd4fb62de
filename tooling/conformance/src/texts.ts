import fc from 'fast-check';

/** A text of any characters. The unit `binary` of fast-check takes a second to be made. */
export const anyText = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.nat(0x7f), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff })), {
      maxLength,
    })
    .map((codePoints) => String.fromCodePoint(...codePoints));

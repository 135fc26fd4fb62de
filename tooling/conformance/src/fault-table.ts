/** The tables of section 6 of the design, for the tests of each variant: faults, and the reason of the first. */
import type { Codec, FaultReason } from '@utf8/core';
import { describe, expect, it } from 'vitest';

/** Parses hexadecimal digits, with or without spaces. */
export const fromHex = (digits: string): Uint8Array =>
  Uint8Array.from(Buffer.from(digits.replaceAll(' ', ''), 'hex'));

/** The text of bytes that a variant accepts; otherwise the first reason and the number of faults. */
export type Outcome = string | readonly [FaultReason, number];

/**
 * Registers a test of each row of a table.
 *
 * @param name - The name of the variant.
 * @param codecs - The full codec, and the `/lite` one.
 * @param table - Outcomes by the bytes in hexadecimal digits.
 */
export function testFaultTable(
  name: string,
  codecs: readonly Codec[],
  table: Readonly<Record<string, Outcome>>,
): void {
  describe(`faults of ${name}`, () => {
    it.each(Object.entries(table))('%s is %j', (digits, outcome) => {
      const bytes = fromHex(digits);
      for (const codec of codecs) {
        if (typeof outcome === 'string') {
          expect(codec.decode(bytes)).toBe(outcome);
          continue;
        }
        const [reason, count] = outcome;
        const replaced = '\ufffd'.repeat(count);
        expect(codec.decode(bytes, { errors: 'replace' })).toBe(replaced);
        expect(new codec.Decoder({ errors: 'replace' }).decode(bytes)).toBe(replaced);
        expect(() => codec.decode(bytes)).toThrow(reason);
        if (reason === 'unrepresentable') continue;
        expect(codec.findFault(bytes)?.reason).toBe(reason);
        expect([...codec.faults(bytes)]).toHaveLength(count);
      }
    });

    it('E2 82 is incomplete at the end of the input, but not before an A', () => {
      for (const codec of codecs) {
        expect(codec.findFault(fromHex('E2 82'))).toEqual({
          offset: 0,
          length: 2,
          reason: 'truncated',
          incomplete: true,
        });
        expect(codec.findFault(fromHex('E2 82 41'))?.incomplete).toBe(false);
      }
    });
  });
}

/**
 * Registers a test of the first reason for each beginning of malformed bytes.
 *
 * @param name - The name of the variant.
 * @param codecs - The codecs that must agree.
 * @param table - Reasons by the bytes in hexadecimal digits, which a space follows in the input.
 */
export function testReasons(
  name: string,
  codecs: readonly Codec[],
  table: Readonly<Record<string, FaultReason>>,
): void {
  it.each(Object.entries(table))(`%s in ${name} is %s`, (digits, reason) => {
    for (const codec of codecs) {
      expect(codec.findFault(fromHex(`${digits} 20`))?.reason).toBe(reason);
    }
  });
}

/** Registers a test that lone surrogates are errors of `encode`, which every policy handles. */
export function testLoneSurrogatesAreErrors(name: string, codec: Codec): void {
  it(`${name} refuses to encode a lone surrogate, unless a policy replaces it`, () => {
    expect(() => codec.encode('ab\ud83d')).toThrow(
      expect.objectContaining({ code: 'ERR_UTF8_ENCODE', offset: 2, codePoint: 0xd83d }),
    );
    expect(codec.encode('\ud83d', { errors: 'replace' })).toEqual(fromHex('EF BF BD'));
    expect(codec.encode('a\ud83d', { errors: 'ignore' })).toEqual(fromHex('61'));
    const escaped = codec.encode('\ud83d', { errors: 'backslashreplace' });
    expect(Buffer.from(escaped).toString()).toBe('\\ud83d');
    expect(() => codec.encode('\ud83d', { errors: () => '\ud83d' })).toThrow('lone surrogate');
  });
}

/** Registers a test that `encodeCodePoints` refuses numbers above U+10FFFF. */
export function testLargestCodePoint(name: string, codecs: readonly Codec[]): void {
  it(`${name} refuses to encode numbers above U+10FFFF`, () => {
    for (const codec of codecs) {
      expect(() => codec.encodeCodePoints([0x41, 0x110000])).toThrow(
        expect.objectContaining({ offset: 1, codePoint: 0x110000 }),
      );
    }
  });
}

import * as lenient from '@utf8/cesu8/lenient';
import { transcode } from '@utf8/core';
import * as full from '@utf8/rfc2279/lax';
import * as lite from '@utf8/rfc2279/lax/lite';
import * as wtf8 from '@utf8/wtf8';
import * as generalized from '@utf8/wtf8/generalized';
import { describe, expect, it } from 'vitest';
import { testCodec } from '../../../tooling/conformance/src/suite.js';

testCodec('rfc2279/lax', full);
testCodec('rfc2279/lax/lite', lite, { isSampled: true });

describe.each([full, lite])('surrogates in rfc2279/lax', (codec) => {
  const pair = Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80);

  it('are numbers of which no two are a pair', () => {
    expect(codec.isValid(pair)).toBe(true);
    expect([...codec.decodeCodePoints(pair)]).toEqual([0xd83d, 0xde00]);
    expect(codec.encodeCodePoints([0xd83d, 0xde00])).toEqual(pair);
    expect(codec.countCodePoints(pair)).toBe(2);
    expect([codec.floorBoundary(pair, 4), codec.truncate(pair, 5).length]).toEqual([3, 3]);
  });

  it('are not in strings, which would join them', () => {
    expect(() => codec.decode(pair)).toThrow(
      'Use decodeCodePoints() for UTF-8 (RFC 2279, lax) at byte 0: unrepresentable (ED A0 BD).',
    );
    expect(codec.decode(pair, { errors: 'replace' })).toBe('\ufffd\ufffd');
    expect(codec.decodedLength(pair, { errors: 'replace' })).toBe(2);
    const escaped = codec.decode(pair, { errors: 'surrogateescape' });
    expect(codec.encode(escaped, { errors: 'surrogateescape' })).toEqual(pair);
    expect(() => codec.encode('a\ud83d')).toThrow(
      'UTF-8 (RFC 2279, lax) cannot encode the lone surrogate U+D83D at index 1.',
    );
    expect(codec.encode('\u{1f600}')).toEqual(Uint8Array.of(0xf0, 0x9f, 0x98, 0x80));
  });

  it('become no text of another encoding, nor text numbers', () => {
    const lone = pair.subarray(0, 3);
    for (const other of [wtf8, generalized, lenient]) {
      expect(() => transcode(pair, codec, other)).toThrow(
        `${other.name} cannot encode U+D83D of UTF-8 (RFC 2279, lax) at byte 0: unrepresentable`,
      );
      expect(other.decode(transcode(pair, codec, other, { errors: 'replace' }))).toBe(
        '\ufffd\ufffd',
      );
      expect(() => transcode(lone, other, codec)).toThrow(
        `UTF-8 (RFC 2279, lax) cannot encode U+D83D of ${other.name} at byte 0: surrogate`,
      );
    }
    expect(transcode(pair, codec, full)).toEqual(pair);
    expect(transcode(pair, codec, lite)).toEqual(pair);
  });

  it('sort as U+FFFD by code units, as the decoded text does', () => {
    const numbers = (...values: number[]): Uint8Array => codec.encodeCodePoints(values);
    expect(codec.compare(numbers(0xd83d), numbers(0xe000))).toBe(-1);
    expect(codec.compare(numbers(0xd83d), numbers(0xe000), 'code units')).toBe(1);
  });
});

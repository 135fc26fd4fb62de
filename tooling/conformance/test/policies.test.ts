/** Every policy, in every codec: one-shot, streamed and transcoded. */
import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import * as mixed from '@utf8/cesu8/mixed';
import { type Codec, type ErrorPolicy, type Fault, Transcoder, transcode } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import * as dataInput from '@utf8/mutf8/data-input';
import * as rfc2279 from '@utf8/rfc2279';
import * as strict from '@utf8/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale, seed } from '../../tiers/tier.js';
import { anyText } from '../src/texts.js';

const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const codecs = { strict, cesu8, lenient, mixed, mutf8, dataInput, rfc2279 } as const;

/** FE begins nothing anywhere, and C3 cut short is one fault in all. */
const FAULTY = fromHex('41 FE 42 C3 43');

describe.each(Object.entries(codecs))('%s', (_, codec: Codec) => {
  it.each<[string, ErrorPolicy, string]>([
    ['replace', 'replace', 'A\ufffdB\ufffdC'],
    ['ignore', 'ignore', 'ABC'],
    ['backslashreplace', 'backslashreplace', 'A\\xfeB\\xc3C'],
    ['surrogateescape', 'surrogateescape', 'A\udcfeB\udcc3C'],
    ['a function', ({ offset, reason }, [byte]) => `<${offset} ${reason} ${byte}>`, ''],
  ])('decodes under %s', (name, errors, expected) => {
    const text = name === 'a function' ? 'A<1 invalid-lead 254>B<3 truncated 195>C' : expected;
    expect(codec.decode(FAULTY, { errors })).toBe(text);
    expect(codec.decodedLength(FAULTY, { errors })).toBe(text.length);
    const points = Array.from(text, (character) => character.codePointAt(0));
    expect(Array.from(codec.decodeCodePoints(FAULTY, { errors }))).toEqual(points);
    const decoder = new codec.Decoder({ errors });
    let streamed = '';
    for (const byte of FAULTY) streamed += decoder.decode(Uint8Array.of(byte), { stream: true });
    expect(streamed + decoder.decode()).toBe(text);
    const bytes = transcode(FAULTY, codec, mutf8, { errors });
    const whole = name === 'surrogateescape' ? FAULTY : mutf8.encode(text);
    expect(Array.from(bytes)).toEqual(Array.from(whole));
    const transcoder = new Transcoder(codec, mutf8, { errors });
    const parts = Array.from(FAULTY, (byte) => [...transcoder.push(Uint8Array.of(byte))]).flat();
    expect([...parts, ...transcoder.flush()]).toEqual(Array.from(whole));
  });

  it('throws under strict, with the offset in the stream, and starts afresh', () => {
    expect(() => codec.decode(FAULTY)).toThrow(expect.objectContaining({ offset: 1, length: 1 }));
    expect(() => transcode(FAULTY, codec, strict)).toThrow(expect.objectContaining({ offset: 1 }));
    const decoder = new codec.Decoder();
    expect(decoder.decode(fromHex('41 41'), { stream: true })).toBe('AA');
    expect(() => decoder.decode(FAULTY, { stream: true })).toThrow(
      expect.objectContaining({ offset: 3, code: 'ERR_UTF8_DECODE' }),
    );
    expect(decoder.decode(fromHex('42'))).toBe('B');
  });

  it('refuses a policy that there is not, on clean input too', () => {
    const errors = 'strct' as ErrorPolicy;
    expect(() => codec.decode(new Uint8Array(0), { errors })).toThrow('strict, replace');
    expect(() => codec.encode('', { errors })).toThrow('strict, replace');
    expect(() => new codec.Decoder({ errors })).toThrow('strict, replace');
    expect(() => new codec.Encoder({ errors })).toThrow('strict, replace');
    expect(() => new Transcoder(codec, codec, { errors })).toThrow('strict, replace');
  });

  it('gives a function a copy of the faulty bytes', () => {
    const input = FAULTY.slice();
    codec.decode(input, {
      errors: (_fault, bytes) => {
        bytes.fill(0);
        return '';
      },
    });
    expect(input).toEqual(FAULTY);
  });

  it('passes a text on in chunks of any size, pairs put together', () => {
    const text = 'a\u{1f600}é\u{10ffff}';
    const encoder = new codec.Encoder();
    const parts = text.split('').map((unit) => [...encoder.encode(unit, { stream: true })]);
    expect([...parts.flat(), ...encoder.encode()]).toEqual(Array.from(codec.encode(text)));
  });
});

describe('surrogateescape', () => {
  const exact = { strict, cesu8, lenient, mutf8, rfc2279 };

  it.each(Object.entries(exact))(
    'makes every byte string a string and back: %s',
    (_, codec: Codec) => {
      const bytes = fc.uint8Array({ maxLength: 40 });
      fc.assert(
        fc.property(bytes, (input) => {
          const text = codec.decode(input, { errors: 'surrogateescape' });
          expect(codec.encode(text, { errors: 'surrogateescape' })).toEqual(input);
          const through = transcode(input, codec, codec, { errors: 'surrogateescape' });
          expect(through).toEqual(input);
        }),
        { seed, numRuns: scale(3000) },
      );
    },
  );
});

describe('transcode', () => {
  it('names the source offset of a lone surrogate that the target cannot hold', () => {
    const bytes = fromHex('41 42 ED A0 BD 43');
    for (const from of [mutf8, lenient]) {
      for (const to of [strict, cesu8, mixed, rfc2279]) {
        expect(() => transcode(bytes, from, to)).toThrow(
          expect.objectContaining({ offset: 2, length: 3, reason: 'surrogate' }),
        );
      }
      expect(transcode(bytes, from, strict, { errors: 'replace' })).toEqual(
        fromHex('41 42 EF BF BD 43'),
      );
      expect(transcode(bytes, from, mutf8)).toEqual(bytes);
    }
  });

  it('names the source offset of a code point above U+10FFFF', () => {
    const bytes = fromHex('41 FD BF BF BF BF BF 42');
    expect(transcode(bytes, rfc2279, rfc2279)).toEqual(bytes);
    for (const to of [strict, cesu8, mutf8, lenient]) {
      const faults: Fault[] = [];
      expect(() => transcode(bytes, rfc2279, to)).toThrow(
        expect.objectContaining({ offset: 1, length: 6, reason: 'unrepresentable' }),
      );
      const errors: ErrorPolicy = (fault) => {
        faults.push(fault);
        return '?';
      };
      expect(transcode(bytes, rfc2279, to, { errors })).toEqual(fromHex('41 3F 42'));
      expect(faults).toHaveLength(1);
    }
  });

  it('keeps a byte order mark', () => {
    const bytes = fromHex('EF BB BF 41');
    expect(transcode(bytes, cesu8, strict)).toEqual(bytes);
  });

  const codec = fc.constantFrom(...(Object.values(codecs) as Codec[]));

  it('equals encoding, for every two codecs', () => {
    fc.assert(
      fc.property(anyText(30), codec, codec, (input, from, to) => {
        expect(transcode(from.encode(input), from, to)).toEqual(to.encode(input));
      }),
      { seed, numRuns: scale(5000) },
    );
  });

  it('equals decoding and encoding under replace, for every two codecs', () => {
    const bytes = fc.uint8Array({ maxLength: 30 });
    fc.assert(
      fc.property(bytes, codec, codec, (input, from, to) => {
        const errors = 'replace';
        // 31 bits go from RFC 2279 to itself, which no string in between could do.
        const isWide = from.decodeCodePoints(input, { errors }).some((c) => c > 0x10ffff);
        if (isWide && to === rfc2279) return;
        const expected = to.encode(from.decode(input, { errors }), { errors });
        expect(transcode(input, from, to, { errors })).toEqual(expected);
      }),
      { seed, numRuns: scale(5000) },
    );
  });
});

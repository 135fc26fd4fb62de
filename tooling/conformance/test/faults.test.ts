/** Section 6 of the design, row by row: how many faults each variant finds, and what it calls them. */
import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import * as cesu8Lite from '@utf8/cesu8/lite';
import * as mixed from '@utf8/cesu8/mixed';
import type { Codec, FaultReason } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import * as dataInput from '@utf8/mutf8/data-input';
import * as mutf8Lite from '@utf8/mutf8/lite';
import * as rfc2279 from '@utf8/rfc2279';
import * as strict from '@utf8/strict';
import * as strictLite from '@utf8/strict/lite';
import * as mb3 from '@utf8/strict/mb3';
import * as wtf8 from '@utf8/wtf8';
import { describe, expect, it } from 'vitest';

const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

/** A text where the variant accepts the bytes, or the first reason and how many faults there are. */
type Outcome = string | readonly [FaultReason, number];
interface Outcomes {
  readonly strict: Outcome;
  readonly cesu8: Outcome;
  readonly mutf8: Outcome;
  readonly rfc2279: Outcome;
}

const variants: Record<keyof Outcomes, readonly Codec[]> = {
  strict: [strict, strictLite],
  cesu8: [cesu8, cesu8Lite],
  mutf8: [mutf8, mutf8Lite],
  rfc2279: [rfc2279],
};

const SMILE = '\u{1f600}';
const all = (outcome: Outcome): Outcomes => ({
  strict: outcome,
  cesu8: outcome,
  mutf8: outcome,
  rfc2279: outcome,
});

const table: Record<string, Outcomes> = {
  '00': { ...all('\0'), mutf8: ['wrong-form', 1] },
  'C0 80': { ...all(['overlong', 2]), mutf8: '\0' },
  'C1 81': all(['overlong', 2]),
  'E0 80 80': all(['overlong', 3]),
  'ED A0 80': {
    strict: ['surrogate', 3],
    cesu8: ['surrogate', 1],
    mutf8: '\ud800',
    rfc2279: ['surrogate', 3],
  },
  'ED B0 80': {
    strict: ['surrogate', 3],
    cesu8: ['surrogate', 1],
    mutf8: '\udc00',
    rfc2279: ['surrogate', 3],
  },
  'ED A0 BD ED B8 80': {
    strict: ['surrogate', 6],
    cesu8: SMILE,
    mutf8: SMILE,
    rfc2279: ['surrogate', 6],
  },
  'F0 9F 98 80': {
    strict: SMILE,
    cesu8: ['wrong-form', 4],
    mutf8: ['wrong-form', 4],
    rfc2279: SMILE,
  },
  'F4 90 80 80': { ...all(['too-large', 4]), rfc2279: ['unrepresentable', 1] },
  'F8 88 80 80 80': { ...all(['too-large', 5]), rfc2279: ['unrepresentable', 1] },
  'FC 84 80 80 80 80': { ...all(['too-large', 6]), rfc2279: ['unrepresentable', 1] },
  FE: all(['invalid-lead', 1]),
  FF: all(['invalid-lead', 1]),
  'E2 82': all(['truncated', 1]),
};

for (const [hex, outcomes] of Object.entries(table)) {
  describe(hex, () => {
    for (const [variant, codecs] of Object.entries(variants)) {
      const outcome = outcomes[variant as keyof Outcomes];
      it(`is ${JSON.stringify(outcome)} in ${variant}`, () => {
        for (const codec of codecs) {
          const bytes = fromHex(hex);
          if (typeof outcome === 'string') {
            expect(codec.decode(bytes)).toBe(outcome);
            continue;
          }
          const [reason, count] = outcome;
          expect(codec.decode(bytes, { errors: 'replace' })).toBe('\ufffd'.repeat(count));
          expect(new codec.Decoder().decode(bytes)).toBe('\ufffd'.repeat(count));
          expect(() => codec.decode(bytes)).toThrow(reason);
          if (reason === 'unrepresentable') continue;
          expect(codec.findFault(bytes)?.reason).toBe(reason);
          expect([...codec.faults(bytes)]).toHaveLength(count);
        }
      });
    }
  });
}

describe('faults', () => {
  it('E2 82 at the end is incomplete, and before an A it is not', () => {
    for (const codec of Object.values(variants).flat()) {
      expect(codec.findFault(fromHex('E2 82'))).toEqual({
        offset: 0,
        length: 2,
        reason: 'truncated',
        incomplete: true,
      });
      expect(codec.findFault(fromHex('E2 82 41'))?.incomplete).toBe(false);
    }
  });

  it('C0 80 in UTF-8 is overlong, then an unexpected continuation', () => {
    const reasons = Array.from(strict.faults(fromHex('C0 80')), ({ reason }) => reason);
    expect(reasons).toEqual(['overlong', 'unexpected-continuation']);
  });

  it('ED A0 80 in UTF-8 is a surrogate, then two unexpected continuations', () => {
    const reasons = Array.from(strict.faults(fromHex('ED A0 80')), ({ reason }) => reason);
    expect(reasons).toEqual(['surrogate', 'unexpected-continuation', 'unexpected-continuation']);
  });

  it('ED B0 41 is one fault of length 2 in cesu8 and mixed', () => {
    for (const codec of [cesu8, cesu8Lite, mixed]) {
      expect([...codec.faults(fromHex('ED B0 41'))]).toEqual([
        { offset: 0, length: 2, reason: 'surrogate', incomplete: false },
      ]);
    }
  });

  it('an unpaired half never takes a following ED with it', () => {
    for (const codec of [cesu8, cesu8Lite, mixed]) {
      const text = codec.decode(fromHex('ED A0 BD ED A0 BD ED B8 80 ED A0 BD ED 95 9C'), {
        errors: 'replace',
      });
      expect(text).toBe(`\ufffd${SMILE}\ufffd한`);
    }
  });

  it('half a pair at the end is a lone surrogate, and incomplete', () => {
    expect(cesu8.findFault(fromHex('ED A0 BD ED B8'))).toEqual({
      offset: 0,
      length: 3,
      reason: 'surrogate',
      incomplete: true,
    });
  });

  it.each([
    ['C0', 'overlong'],
    ['C1', 'overlong'],
    ['E0 80', 'overlong'],
    ['E0 9F', 'overlong'],
    ['F0 80', 'overlong'],
    ['F0 8F', 'overlong'],
    ['ED A0', 'surrogate'],
    ['ED BF', 'surrogate'],
    ['F4 90', 'too-large'],
    ['F5', 'too-large'],
    ['FD', 'too-large'],
    ['FE', 'invalid-lead'],
    ['80', 'unexpected-continuation'],
    ['BF', 'unexpected-continuation'],
    ['C2 41', 'truncated'],
    ['F0 9F 98 41', 'truncated'],
  ])('%s in UTF-8 is %s', (hex, reason) => {
    expect(strict.findFault(fromHex(`${hex} 20`))?.reason).toBe(reason);
  });

  it.each([
    ['F0 9F', 'wrong-form'],
    ['F0', 'wrong-form'],
    ['F4 8F', 'wrong-form'],
    ['F0 80', 'overlong'],
    ['F4 90', 'too-large'],
    ['F5', 'too-large'],
  ])('%s in CESU-8 and Modified UTF-8 is %s', (hex, reason) => {
    for (const codec of [cesu8, lenient, mutf8, dataInput]) {
      expect(codec.findFault(fromHex(`${hex} 20`))?.reason).toBe(reason);
    }
  });

  it.each([
    ['F8 80', 'overlong'],
    ['F8 87', 'overlong'],
    ['FC 80', 'overlong'],
    ['FC 83', 'overlong'],
    ['F0 8F', 'overlong'],
    ['C0', 'overlong'],
    ['ED A0', 'surrogate'],
    ['FE', 'invalid-lead'],
    ['FD BF BF BF BF', 'truncated'],
  ])('%s in RFC 2279 is %s', (hex, reason) => {
    expect(rfc2279.findFault(fromHex(`${hex} 20`))?.reason).toBe(reason);
  });

  it.each(['F0 9F 98 80', 'F4 8F BF BF', '00'])(
    'the error at %s names the form of UTF-8',
    (hex) => {
      expect(() => mutf8.decode(fromHex(hex))).toThrow(
        `Malformed Modified UTF-8 at byte 0: wrong-form (${hex.slice(0, 2)}), UTF-8's form.`,
      );
    },
  );

  it('the error at a pair in six bytes in WTF-8 does not, as UTF-8 has no such form', () => {
    expect(() => wtf8.decode(fromHex('ED A0 BD ED B8 80'))).toThrow(
      'Malformed WTF-8 at byte 0: wrong-form (ED A0 BD ED B8 80).',
    );
  });

  it('what no string holds is a fault of decode and Decoder alone', () => {
    const bytes = fromHex('41 FD BF BF BF BF BF 42');
    expect(rfc2279.isValid(bytes)).toBe(true);
    expect(rfc2279.findFault(bytes)).toBeUndefined();
    expect([...rfc2279.faults(bytes)]).toEqual([]);
    expect([...rfc2279.decodeCodePoints(bytes)]).toEqual([0x41, 0x7fffffff, 0x42]);
    expect(() => rfc2279.decode(bytes)).toThrow('decodeCodePoints');
    expect(rfc2279.decode(bytes, { errors: 'replace' })).toBe('A\ufffdB');
    expect(rfc2279.decode(bytes, { errors: 'backslashreplace' })).toBe(
      'A\\xfd\\xbf\\xbf\\xbf\\xbf\\xbfB',
    );
  });
});

describe('profiles', () => {
  it('lenient passes lone surrogates both ways', () => {
    const bytes = fromHex('ED A0 BD 41 ED B8 80');
    expect(lenient.decode(bytes)).toBe('\ud83dA\ude00');
    expect(lenient.encode('\ud83dA\ude00')).toEqual(bytes);
  });

  it('mixed accepts six-byte pairs and four-byte forms, and writes UTF-8', () => {
    const bytes = fromHex('ED A0 BD ED B8 80 F0 9F 98 80');
    expect(mixed.decode(bytes)).toBe(SMILE + SMILE);
    expect(mixed.encode(SMILE)).toEqual(fromHex('F0 9F 98 80'));
    expect(mixed.findFault(fromHex('ED A0 BD'))?.reason).toBe('surrogate');
  });

  it('data-input accepts raw 00 and overlong forms in two and three bytes', () => {
    expect(dataInput.decode(fromHex('00 C0 80 C1 81 E0 80 80 E0 9F BF'))).toBe('\0\0A\0\u07ff');
    expect(dataInput.encode('\0')).toEqual(fromHex('C0 80'));
    expect(dataInput.isValid(fromHex('F0 9F 98 80'))).toBe(false);
  });
});

describe('encoding', () => {
  it('lone surrogates are errors in strict, cesu8, mixed and rfc2279', () => {
    for (const codec of [strict, cesu8, mixed, rfc2279]) {
      expect(() => codec.encode('ab\ud83d')).toThrow(
        expect.objectContaining({ code: 'ERR_UTF8_ENCODE', offset: 2, codePoint: 0xd83d }),
      );
      expect(codec.encode('\ud83d', { errors: 'replace' })).toEqual(fromHex('EF BF BD'));
      expect(codec.encode('a\ud83d', { errors: 'ignore' })).toEqual(fromHex('61'));
      const escaped = codec.encode('\ud83d', { errors: 'backslashreplace' });
      expect(Buffer.from(escaped).toString()).toBe('\\ud83d');
      expect(() => codec.encode('\ud83d', { errors: () => '\ud83d' })).toThrow('lone surrogate');
    }
  });

  it('mb3 escapes what is above U+FFFF in eight digits, as Python does', () => {
    const escaped = mb3.encode('\u{1f600}\u{10ffff}', { errors: 'backslashreplace' });
    expect(Buffer.from(escaped).toString()).toBe('\\U0001f600\\U0010ffff');
  });

  it('lone surrogates are three bytes in mutf8 and cesu8/lenient', () => {
    for (const codec of [mutf8, lenient, dataInput]) {
      expect(codec.encode('\ud83d')).toEqual(fromHex('ED A0 BD'));
    }
  });

  it('pairs are four bytes in strict and rfc2279, six in cesu8 and mutf8', () => {
    for (const codec of [strict, rfc2279])
      expect(codec.encode(SMILE)).toEqual(fromHex('F0 9F 98 80'));
    for (const codec of [cesu8, mutf8]) {
      expect(codec.encode(SMILE)).toEqual(fromHex('ED A0 BD ED B8 80'));
    }
  });

  it('code points above U+10FFFF are for rfc2279 alone, to 7FFFFFFF', () => {
    expect(rfc2279.encodeCodePoints([0x7fffffff])).toEqual(fromHex('FD BF BF BF BF BF'));
    for (const codec of [strict, cesu8, mixed, lenient, mutf8]) {
      expect(() => codec.encodeCodePoints([0x41, 0x110000])).toThrow(
        expect.objectContaining({ offset: 1, codePoint: 0x110000 }),
      );
    }
    for (const wrong of [0x80000000, -1, 1.5, Number.NaN, 0xd800]) {
      expect(() => rfc2279.encodeCodePoints([wrong])).toThrow(TypeError);
    }
  });
});

import { createCodec, DecodeError, transcode } from '@utf8/core';
import { codecFor, labels } from '@utf8/detect';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { scale, seed } from '../../../tooling/tiers/tier.js';
import {
  createRepairer,
  errorsPolicies,
  type FormatSyntax,
  findLegacyEncoding,
  findNuls,
  type Kind,
  legacyErrors,
  NulFilter,
  nulPolicies,
  type Repair,
  type Repairer,
  RepairOptionError,
  type RepairOptions,
  sequencesOfNul,
  surrogatePolicies,
} from '../src/index.js';

const hex = (text: string): Uint8Array =>
  Uint8Array.from(text.split(/\s+/).filter(Boolean), (byte) => Number.parseInt(byte, 16));

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

/** As in COPY and in MySQL's dumps: a backslash escapes. */
const quoting: FormatSyntax = {
  quote: (text) => text.replaceAll('\\', '\\\\'),
  nuls: [ascii('\\0')],
};

/** As in pg_dump: in some texts a backslash escapes, and in some it does not. */
const mixed: FormatSyntax = {
  ...quoting,
  quote: (text, escapes) => (escapes === false ? text : quoting.quote(text)),
};

const json: FormatSyntax = {
  ...quoting,
  escapeUnit: (unit) => `\\u${unit.toString(16).padStart(4, '0')}`,
  nuls: [ascii('\\u0000')],
};

type Asked = Partial<RepairOptions>;

const create = (asked: Asked = {}): Repairer =>
  createRepairer({ from: 'cesu-8+utf-8', to: 'utf-8', ...asked });

/** Findings as `kind@offset+length:becomes`. */
const list = ({ findings }: Repair): string[] =>
  findings.map(({ offset, length, kind, becomes }) => {
    const bytes = becomes && Buffer.from(becomes).toString('hex').toUpperCase();
    return `${kind}@${offset}+${length}:${bytes ?? 'refused'}`;
  });

describe('a finding is what its writer meant', () => {
  it.each([
    ['a pair', {}, '41 ED A0 BD ED B8 80 42', ['pair@1+6:F09F9880']],
    [
      'a pair that the source refuses',
      { from: 'utf-8' },
      'ED A0 BD ED B8 80',
      ['pair@0+6:refused'],
    ],
    [
      'a pair, replaced as one',
      { from: 'utf-8', errors: 'replace' },
      'ED A0 BD ED B8 80',
      ['pair@0+6:EFBFBD'],
    ],
    [
      'a four-byte form',
      { from: 'utf-8', to: 'cesu-8' },
      'F0 9F 98 80',
      ['four-byte@0+4:EDA0BDEDB880'],
    ],
    ['a four-byte form in CESU-8', { from: 'cesu-8' }, 'F0 9F 98 80', ['four-byte@0+4:refused']],
    ['a high surrogate', {}, 'ED A0 BD 41', ['unpaired-surrogate@0+3:refused']],
    ['a low surrogate', {}, 'ED B8 80', ['unpaired-surrogate@0+3:refused']],
    [
      'surrogates in the wrong order',
      {},
      'ED B8 80 ED A0 BD',
      ['unpaired-surrogate@0+3:refused', 'unpaired-surrogate@3+3:refused'],
    ],
    [
      'a surrogate before a pair',
      {},
      'ED A0 BD ED A0 BD ED B8 80',
      ['unpaired-surrogate@0+3:refused', 'pair@3+6:F09F9880'],
    ],
    [
      'a surrogate that the source accepts',
      { from: 'mutf-8' },
      'ED A0 BD',
      ['unpaired-surrogate@0+3:refused'],
    ],
    [
      'a surrogate that both accept',
      { from: 'mutf-8', to: 'mutf-8' },
      'EC 97 90 ED A0 BD',
      ['unpaired-surrogate@3+3:refused'],
    ],
    [
      'surrogates replaced',
      { unpairedSurrogates: 'replace' },
      'ED A0 BD',
      ['unpaired-surrogate@0+3:EFBFBD'],
    ],
    [
      'surrogates escaped',
      { unpairedSurrogates: 'escape' },
      'ED A0 BD',
      ['unpaired-surrogate@0+3:5C7564383364'],
    ],
    ['00', {}, '41 00', ['nul@1+1:refused']],
    ['C0 80', {}, 'C0 80', ['nul@0+2:refused']],
    ['C0 80 that is kept', { nul: 'keep' }, 'C0 80 00', ['nul@0+2:00']],
    [
      '00 that is kept in Java',
      { from: 'utf-8', to: 'mutf-8', nul: 'keep' },
      '00',
      ['nul@0+1:C080'],
    ],
    [
      'U+0000 removed',
      { nul: 'remove' },
      '00 C0 80 E0 80 80',
      ['nul@0+1:', 'nul@1+2:', 'nul@3+3:'],
    ],
    ['U+0000 replaced', { nul: 'replace' }, '00', ['nul@0+1:EFBFBD']],
    ['overlong forms', {}, 'C0 AF E0 80 AF', ['overlong@0+2:refused', 'overlong@2+3:refused']],
    [
      'an overlong form that the source accepts',
      { from: 'mutf-8-lenient' },
      'C1 81',
      ['overlong@0+2:41'],
    ],
    [
      'an overlong form that the target accepts too',
      { from: 'mutf-8-lenient', to: 'mutf-8-lenient' },
      'C1 81',
      ['overlong@0+2:41'],
    ],
    ['an overlong surrogate', {}, 'F0 8D A0 BD', ['overlong@0+4:refused']],
    [
      'a stray byte, and one that leads nothing',
      { errors: 'remove' },
      '80 FF',
      ['legacy-byte@0+1:', 'legacy-byte@1+1:'],
    ],
    ['a maximal subpart', { errors: 'replace' }, 'E2 82 41', ['legacy-byte@0+2:EFBFBD']],
    [
      'several of them',
      { errors: 'replace' },
      'F4 90 80 80',
      Array.from({ length: 4 }, (_, i) => `other@${i}+1:EFBFBD`),
    ],
    [
      'a part of a surrogate',
      { from: 'cesu-8', errors: 'replace' },
      'ED A0 BD ED B0',
      ['unpaired-surrogate@0+3:refused', 'other@3+2:EFBFBD'],
    ],
    ['bytes escaped', { errors: 'escape' }, 'E2 82', ['other@0+2:5C7865325C783832']],
    [
      'a pair that the source accepts as two surrogates',
      { from: 'mutf-8-android', to: 'mutf-8-android' },
      'ED A0 BD ED B8 80',
      ['pair@0+6:F09F9880'],
    ],
    [
      'a pair in WTF-8',
      { from: 'wtf-8', errors: 'replace' },
      'ED A0 BD ED B8 80',
      ['pair@0+6:EFBFBD'],
    ],
    [
      'surrogates that WTF-8 keeps',
      { from: 'mutf-8', to: 'wtf-8', unpairedSurrogates: 'keep' },
      'ED A0 BD 41 ED B8 80 ED A0 BD ED B8 80',
      ['pair@7+6:F09F9880'],
    ],
    [
      'a character that the target does not contain',
      { from: 'utf-8', to: 'utf8mb3' },
      '41 F0 9F 98 80',
      ['four-byte@1+4:refused'],
    ],
    [
      'such a character, replaced',
      { from: 'cesu-8', to: 'utf8mb3', errors: 'replace' },
      'ED A0 BD ED B8 80',
      ['pair@0+6:EFBFBD'],
    ],
    ['a code point above U+10FFFF', { from: 'rfc2279' }, 'F8 88 80 80 80', ['other@0+5:refused']],
    [
      'two surrogates that are numbers, and no pair',
      { from: 'rfc2279-lax' },
      '41 ED A0 BD ED B8 80',
      ['pair@1+6:refused'],
    ],
    [
      'such numbers, into an encoding that has them as a pair',
      { from: 'rfc2279-lax', to: 'wtf-8-generalized' },
      '41 ED A0 BD ED B8 80',
      ['pair@1+6:refused'],
    ],
    [
      'a code point above U+10FFFF that both have',
      { from: 'rfc2279', to: 'rfc2279' },
      'F8 88 80 80 80',
      [],
    ],
  ] satisfies [string, Asked, string, string[]][])('%s', (_, asked, text, findings) => {
    expect(list(create(asked)(hex(text)))).toEqual(findings);
  });

  it('has a reason where the source refuses it', () => {
    const { findings } = create()(hex('C0 AF ED A0 BD ED A0 BD ED B8 80'));
    expect(findings.map(({ reason }) => reason)).toEqual(['overlong', 'surrogate', undefined]);
  });

  it('has a reason where the target does not contain it', () => {
    const { findings } = create({ from: 'utf-8', to: 'utf8mb3' })(hex('F0 9F 98 80'));
    expect(findings.map(({ reason }) => reason)).toEqual(['too-large']);
  });

  it.each([
    ['EE DA A0', ['legacy-byte@0+1:EFBFBD']],
    ['ED DA A0', ['legacy-byte@0+1:EFBFBD']],
    ['EC 97 90 ED 95 9C EA B0 80', []],
    ['ED 9F BF EE 80 80', []],
  ] satisfies [string, string[]][])('%s is never taken for a surrogate', (text, findings) => {
    expect(list(create({ errors: 'replace' })(hex(text)))).toEqual(findings);
  });
});

describe('a repair', () => {
  it('returns the very bytes of a text without findings', () => {
    const repair = create();
    for (const text of ['', 'a', '한글 😀', 'x'.repeat(100), `${'é'.repeat(100)}😀`]) {
      const bytes = ascii(text);
      expect(repair(bytes)).toEqual({ status: 'unchanged', bytes, findings: [] });
      expect(repair(bytes).bytes).toBe(bytes);
    }
  });

  it('replaces all that is not refused', () => {
    const { status, bytes } = create()(hex('ED A0 BD ED B8 80 FF ED A0 BD ED B8 80'));
    expect(status).toBe('rejected');
    expect(bytes).toEqual(hex('F0 9F 98 80 FF F0 9F 98 80'));
  });

  it('rewrites a form that the target accepts and does not write, also in long text', () => {
    const repair = create({ from: 'cesu-8+utf-8', to: 'cesu-8+utf-8' });
    const long = ascii('A'.repeat(64));
    const text = Uint8Array.from([...long, ...hex('ED A0 BD ED B8 80')]);
    expect(list(repair(text))).toEqual(['pair@64+6:F09F9880']);
    expect(repair.isClean(text)).toBe(false);
  });

  it('finds an unpaired surrogate after pairs, also in long text', () => {
    const label = 'cesu-8-lenient';
    const repair = create({ from: label, to: label, unpairedSurrogates: 'fail' });
    const pairs = Array.from({ length: 11 }, () => [...hex('ED A0 BD ED B8 80')]).flat();
    expect(repair.isClean(Uint8Array.from(pairs))).toBe(true);
    for (const digits of ['ED A0 BD', 'ED B8 80', 'ED A0 BD 41', 'ED A0 BD ED 9F BF']) {
      const text = Uint8Array.from([...pairs, ...hex(digits)]);
      expect(list(repair(text))).toEqual(['unpaired-surrogate@66+3:refused']);
      expect(repair.isClean(text)).toBe(false);
    }
  });

  it.each([
    ...['utf-8', 'cesu-8', 'cesu-8-lenient', 'cesu-8+utf-8', 'mutf-8', 'wtf-8'].map(
      (label) => [label, 'fail'] as const,
    ),
    ...['cesu-8-lenient', 'mutf-8', 'wtf-8'].map((label) => [label, 'keep'] as const),
  ])(
    'is not tried on clean text of %s, whichever surrogates are in it (%s)',
    (label, unpairedSurrogates) => {
      const parts = ['41', 'ED 80 80', 'ED 9F BF', 'ED A0 80', 'ED AF BF', 'ED B0 80', 'ED BF BF'];
      const texts = parts.map((part) => hex(part));
      const repair = create({ from: label, to: label, unpairedSurrogates });
      for (let i = 0; i < texts.length ** 4; i++) {
        const chosen = [1, 7, 49, 343].map((scale) => texts[Math.floor(i / scale) % 7]);
        const text = Buffer.concat(chosen as Uint8Array[]);
        const isClean = repair(text).status === 'unchanged';
        if (repair.isClean(text) !== isClean) expect.fail(text.toString('hex'));
      }
    },
  );

  it('accepts a codec for a label', () => {
    const repair = createRepairer({ from: codecFor('cesu-8'), to: codecFor('utf-8') });
    expect(repair(hex('ED A0 BD ED B8 80')).bytes).toEqual(hex('F0 9F 98 80'));
  });

  it('accepts a codec that no label has', () => {
    const { rows, ...grammar } = codecFor('cesu-8+utf-8').grammar;
    const ours = createCodec('ours', { ...grammar, rows: [...rows].reverse() });
    const repair = createRepairer({ from: 'utf-8', to: ours });
    expect(repair.isClean(hex('ED A0 BD ED B8 80'))).toBe(false);
    expect(repair.isClean(hex('F0 9F 98 80'))).toBe(true);
    expect(list(createRepairer({ from: ours, to: ours })(hex('ED A0 BD ED B8 80')))).toEqual([
      'pair@0+6:F09F9880',
    ]);
  });
});

describe('the spellings of a syntax', () => {
  it.each([
    [
      'substituted text is quoted',
      quoting,
      { unpairedSurrogates: 'escape' },
      'ED A0 BD',
      '\\\\ud83d',
    ],
    ['so are bytes', quoting, { errors: 'escape' }, 'FF', '\\\\xff'],
    [
      'a surrogate becomes visible text in JSON, too',
      json,
      { unpairedSurrogates: 'escape' },
      'ED A0 BD',
      '\\\\ud83d',
    ],
    [
      'and is kept as JSON spells it, whatever the target is',
      json,
      { unpairedSurrogates: 'keep', nul: 'replace' },
      'ED A0 BD 00',
      '\\ud83d\uFFFD',
    ],
    ['an escaped U+0000 is one', quoting, { nul: 'replace' }, '61 5C 30', 'a\uFFFD'],
    [
      'an escaped backslash before a zero is none',
      quoting,
      { nul: 'remove' },
      '5C 5C 30 5C 30',
      '\\\\0',
    ],
    [
      'a backslash escapes no part of a character',
      quoting,
      { nul: 'remove' },
      '5C ED A0 BD ED B8 80',
      '\\😀',
    ],
    ['a backslash goes with what it escapes', quoting, { nul: 'remove' }, '5C 00 30', '0'],
    ['and escapes nothing that is substituted', quoting, { errors: 'escape' }, '5C FF', '\\\\xff'],
    ['JSON spells U+0000 with six', json, { nul: 'remove' }, '5C 75 30 30 30 30 5C 6E', '\\n'],
    [
      'no U+0000 is made of parts',
      json,
      { errors: 'remove' },
      '5C 75 30 30 FF 30 30',
      '\\u00\uFFFD00',
    ],
    [
      'nor of those around another',
      json,
      { nul: 'remove' },
      '5C 75 30 30 00 30 30',
      '\\u00\uFFFD00',
    ],
    [
      'Windows-1252 is quoted',
      { ...json, quote: (text) => `<${text}>` },
      { errors: 'windows-1252' },
      '92 41',
      '<’>A',
    ],
  ] satisfies [string, FormatSyntax, Asked, string, string][])(
    '%s',
    (_, syntax, asked, text, result) => {
      expect(Buffer.from(create({ ...asked, syntax })(hex(text)).bytes).toString()).toBe(result);
    },
  );

  it('are none where no backslash escapes', () => {
    const repair = create({ nul: 'remove', errors: 'escape', syntax: mixed });
    const repaired = (escapes?: boolean) =>
      Buffer.from(repair(hex('5C 30 5C FF'), { escapes }).bytes).toString();
    expect(repaired(false)).toBe('\\0\\\\xff');
    expect(repaired()).toBe('\\\\xff');
  });

  it('stay if U+0000 is kept', () => {
    expect(create({ nul: 'keep', syntax: quoting })(ascii('\\0')).status).toBe('unchanged');
  });
});

it('a legacy encoding is a policy of every codec', () => {
  const errors = legacyErrors('windows-1252');
  for (const label of labels) {
    const decode = (bytes: string): string => codecFor(label).decode(hex(bytes), { errors });
    expect(decode('49 92 6D 20 FE')).toBe('I’m þ');
    expect(() => decode('49 81')).toThrow(DecodeError);
  }
  expect(create({ to: 'cesu-8', errors: 'windows-1252' })(hex('E2 82 41')).bytes).toEqual(
    codecFor('cesu-8').encode('â‚A'),
  );
});

describe('refused options', () => {
  it.each([
    [
      { unpairedSurrogates: 'keep' },
      'unpairedSurrogates',
      "`unpairedSurrogates: 'keep'` requires a target that encodes surrogates, and UTF-8 does not; use fail, replace or escape",
    ],
    [
      { unpairedSurrogates: 'keep', to: 'mutf-8', nul: 'remove' },
      'nul',
      "`unpairedSurrogates: 'keep'` with `nul: 'remove'` can join two surrogates into one character; use `nul: 'replace'`",
    ],
    [
      { unpairedSurrogates: 'keep', to: 'mutf-8', errors: 'remove' },
      'errors',
      "`unpairedSurrogates: 'keep'` with `errors: 'remove'` can join two surrogates into one character; use `errors: 'replace'`",
    ],
    [
      { nul: 'drop' as 'remove' },
      'nul',
      'unknown nul: "drop"; expected keep, remove, replace, fail',
    ],
    [{ from: 8 as unknown as string }, 'from', 'the option from must be a label or a codec'],
  ] satisfies [Asked, string, string][])('%j', (asked, option, sentence) => {
    expect(() => create(asked)).toThrow(RepairOptionError);
    try {
      create(asked);
    } catch (thrown) {
      const message = sentence;
      expect(thrown).toMatchObject({ code: 'ERR_UTF8_REPAIR_OPTION', option, message });
      expect(thrown).toBeInstanceOf(TypeError);
    }
  });

  it('are unknown labels too', () => {
    expect(() => create({ from: 'utf-9' })).toThrow(RangeError);
  });
});

/** The names that codecs have for the policies. */
const codecPolicies = {
  fail: 'strict',
  replace: 'replace',
  remove: 'ignore',
  escape: 'backslashreplace',
} as const;

describe('laws', () => {
  const runs = { seed, numRuns: scale(1500) };

  const pieces = [
    // Well-formed, and escapes.
    ...['41', '5C', '30', '5C 30', '5C 75 30 30', '30 30', 'C3 A9', 'EE 80 80', 'E4 B8 AD'],
    ...['ED 95 9C', 'EC 97 90', 'EF BF BD', 'EF BB BF', 'F0 9F 98 80', 'F3 A0 80 81'],
    // Spelled differently somewhere.
    ...['ED A0 BD ED B8 80', 'ED A0 BD', 'ED B8 80', '00', 'C0 80', 'E0 80 80', 'F0 80 80 80'],
    ...['C1 81', 'E0 80 AF', 'F0 80 80 AF', 'F8 87 BF BF BF', 'F4 90 80 80', 'F8 88 80 80 80'],
    ...['FC 84 80 80 80 80', '5C 00', '5C ED A0 BD', '5C C0 80'],
    // Malformed.
    ...['ED A0', 'ED', 'E2 82', 'E0 80', 'F0 80 80', 'F0 9F', '5C FF', 'EE DA A0', '80', 'BF'],
    ...['C0', 'FE', 'FF'],
    // Long enough to be screened.
    '41 '.repeat(64),
  ].map(hex);
  const text = fc
    .array(fc.constantFrom(...pieces), { maxLength: 12 })
    .map((some) => Uint8Array.from(Buffer.concat(some)));
  const bytes = fc.oneof(text, text, fc.uint8Array({ maxLength: 24 }));
  const asked = fc.record({
    from: fc.constantFrom(...labels),
    to: fc.constantFrom(...labels),
    unpairedSurrogates: fc.constantFrom(...surrogatePolicies),
    nul: fc.constantFrom(...nulPolicies),
    errors: fc.constantFrom(...errorsPolicies.slice(0, 5)),
    syntax: fc.constantFrom(undefined, quoting, json),
  });
  type Chosen = typeof asked extends fc.Arbitrary<infer T> ? T : never;

  const law = (
    name: string,
    test: (repairer: Repairer, bytes: Uint8Array, asked: Chosen) => void,
  ): void =>
    it(`${name} (seed ${seed})`, () => {
      fc.assert(
        fc.property(asked, bytes, (asked, bytes) => {
          let repairer: Repairer;
          try {
            repairer = createRepairer(asked);
          } catch (error) {
            fc.pre(!(error instanceof RepairOptionError));
            throw error;
          }
          test(repairer, bytes, asked);
        }),
        runs,
      );
    });

  law('a second repair, from the target to itself, changes nothing', (repair, bytes, asked) => {
    const { status, bytes: result } = repair(bytes);
    if (status === 'rejected') return;
    expect(createRepairer({ ...asked, from: asked.to })(result).bytes).toBe(result);
  });

  law('nor does one from both to UTF-8', (repair, bytes, { from, to }) => {
    if (from !== 'cesu-8+utf-8' || to !== 'utf-8') return;
    const { status, bytes: result } = repair(bytes);
    if (status !== 'rejected') expect(repair(result).bytes).toBe(result);
  });

  law('the result is well-formed in the target, unless rejected', (repair, bytes, { to }) => {
    const { status, bytes: result } = repair(bytes);
    if (status !== 'rejected') expect(codecFor(to).isValid(result)).toBe(true);
  });

  law('the status is what the findings say', (repair, bytes) => {
    const { status, bytes: result, findings } = repair(bytes);
    expect(result === bytes).toBe(status === 'unchanged');
    expect(findings.length === 0).toBe(status === 'unchanged');
    expect(findings.some(({ becomes }) => !becomes)).toBe(status === 'rejected');
  });

  law('findings are in order, and make the result of the text', (repair, bytes) => {
    const copy = bytes.slice();
    const { bytes: result, findings } = repair(bytes);
    expect(bytes).toEqual(copy);
    const parts: Uint8Array[] = [];
    let end = 0;
    for (const { offset, length, becomes } of findings) {
      expect(offset).toBeGreaterThanOrEqual(end);
      expect(length).toBeGreaterThan(0);
      const old = bytes.subarray(offset, offset + length);
      parts.push(bytes.subarray(end, offset), becomes ?? old);
      end = offset + length;
    }
    expect(end).toBeLessThanOrEqual(bytes.length);
    expect(Buffer.concat([...parts, bytes.subarray(end)])).toEqual(Buffer.from(result));
  });

  law('what both accept passes, except by policy', (repair, bytes, { from, to }) => {
    // These accept forms that they never write.
    if (['cesu-8+utf-8', 'mutf-8-lenient', 'mutf-8-android'].includes(to)) return;
    if (![from, to].every((label) => codecFor(label).isValid(bytes))) return;
    // To one that accepts surrogates as numbers, a pair of them is two numbers, and its text is four bytes.
    const pairs: readonly Kind[] = to === 'rfc2279-lax' ? ['pair'] : [];
    const byPolicy: readonly Kind[] = ['unpaired-surrogate', 'nul', ...pairs];
    const others = repair(bytes).findings.filter(({ kind }) => !byPolicy.includes(kind));
    expect(others).toEqual([]);
  });

  law('clean bytes have no findings', (repair, bytes) => {
    // After a finding, bytes are searched and not screened.
    const { findings } = repair(Uint8Array.from([0xff, ...bytes]));
    if (repair.isClean(bytes)) expect(findings.filter(({ offset }) => offset > 0)).toEqual([]);
  });

  law(
    'without named kinds, a repair is a transcoding with the same policy',
    (repair, bytes, asked) => {
      const { status, bytes: result, findings } = repair(bytes);
      if (status === 'rejected' || asked.syntax) return;
      const failing = { ...asked, nul: 'fail', unpairedSurrogates: 'fail' } as const;
      const policies: readonly Kind[] = ['nul', 'unpaired-surrogate'];
      if (createRepairer(failing)(bytes).findings.some(({ kind }) => policies.includes(kind)))
        return;
      // One finding of a named kind is several faults.
      const malformed: readonly Kind[] = ['other', 'legacy-byte'];
      if (findings.some(({ kind, reason }) => !malformed.includes(kind) && reason)) return;
      const encoding = findLegacyEncoding(asked.errors);
      const errors = encoding ? legacyErrors(encoding) : codecPolicies[asked.errors as 'replace'];
      const codecs = [codecFor(asked.from), codecFor(asked.to)] as const;
      expect(transcode(bytes, ...codecs, { errors })).toEqual(result);
    },
  );

  it(`Hangul, CJK and emoji raise nothing (seed ${seed})`, () => {
    const character = fc.oneof(
      fc.integer({ min: 0xac00, max: 0xd7a3 }),
      fc.integer({ min: 0x4e00, max: 0x9fff }),
      fc.integer({ min: 0x1f300, max: 0x1faff }),
    );
    const repair = create();
    fc.assert(
      fc.property(fc.array(character), (codePoints) => {
        const text = ascii(String.fromCodePoint(...codePoints));
        expect(repair.isClean(text)).toBe(true);
        expect(repair(text).bytes).toBe(text);
        // Nor where they stand beside what does.
        const mixed = Uint8Array.from([...text, 0xed, 0xa0, 0xbd, ...text]);
        expect(list(repair(mixed))).toEqual([`unpaired-surrogate@${text.length}+3:refused`]);
      }),
      runs,
    );
  });
});

describe('U+0000', () => {
  const find = (label: string, text: string) =>
    Array.from(findNuls(hex(text), sequencesOfNul(codecFor(label))), ({ offset, length }) => [
      offset,
      length,
    ]);

  it('is found in all spellings of an encoding', () => {
    expect(find('utf-8', '00 41 C0 80 00')).toEqual([
      [0, 1],
      [4, 1],
    ]);
    expect(find('mutf-8', '41 C0 80 C0 81 C0 80')).toEqual([
      [1, 2],
      [5, 2],
    ]);
    expect(find('mutf-8-lenient', 'E0 80 80 00 E0 80 81 C0 80')).toEqual([
      [0, 3],
      [3, 1],
      [7, 2],
    ]);
  });

  it.each([
    ['', '41 42'],
    ['\uFFFD', 'EF BF BD 41 EF BF BD 42'],
  ])('is filtered: %j', (replacement, result) => {
    const filter = new NulFilter(codecFor('utf-8'), replacement);
    const clean = hex('41 42');
    expect(filter.filter(clean)).toBe(clean);
    expect(filter.filter(hex('00 41 00 42'))).toEqual(hex(result));
    expect(filter.count).toBe(2);
  });

  it('is found without the search of Node too', async () => {
    vi.stubGlobal('Buffer', undefined);
    const { indexOfRun } = await import('../src/byte-search.js?portable' as string).finally(() =>
      vi.unstubAllGlobals(),
    );
    const bytes = hex('41 E0 80 81 E0 80 80 00 E0');
    for (const run of [hex('00'), hex('E0 80 80'), hex('E0'), hex('C0 80')]) {
      for (let from = 0; from <= bytes.length; from++) {
        expect(indexOfRun(bytes, run, from)).toBe(Buffer.from(bytes).indexOf(run, from));
      }
    }
  });
});

it('finds U+0000 after an escape character that is not a backslash', () => {
  const syntax = {
    quote: (text: string) => text.replaceAll('^', '^^'),
    nuls: [Buffer.from('^0')],
  };
  const repairer = createRepairer({ from: 'cesu-8+utf-8', syntax });
  expect(repairer(Buffer.from('a^0b')).status).toBe('rejected');
  expect(repairer(Buffer.from('a^^0b')).status).toBe('unchanged');
  expect(repairer(Buffer.from('a\\0b')).status).toBe('unchanged');
});

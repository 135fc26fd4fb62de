import { transcode } from '@utf8/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findEncoding } from '../src/codecs.js';
import { UsageFailure } from '../src/failure.js';
import type { Format } from '../src/formats/format.js';
import type { RepairOptions } from '../src/repair/options.js';
import { Repairer } from '../src/repair/repairer.js';
import { hex } from './command.js';

/** Formats are of no matter here, but for how they quote, and how they spell U+0000. */
const plain: Format = {
  name: 'plain',
  isLineBased: true,
  createReader: () => {
    throw new Error('nobody reads');
  },
  quote: (text) => text,
  nuls: [],
};

const quoting: Format = {
  ...plain,
  quote: (text) => text.replaceAll('\\', '\\\\'),
  nuls: [Buffer.from('\\0')],
};

/** In some fields a backslash escapes, and in some it does not. */
const fielded: Format = {
  ...quoting,
  quote: (text, field) => (field?.escapes === false ? text : quoting.quote(text)),
};

const json: Format = {
  ...quoting,
  spellUnit: (unit) => `\\u${unit.toString(16)}`,
  nuls: [Buffer.from('\\u0000')],
};

interface Asked {
  readonly from?: string;
  readonly to?: string;
  readonly loneHalves?: RepairOptions['loneHalves'];
  readonly nul?: RepairOptions['nul'];
  readonly errors?: RepairOptions['errors'];
}

function createRepairer(asked: Asked = {}, format = plain): Repairer {
  const { from = 'cesu-8+utf-8', to = 'utf-8' } = asked;
  const { loneHalves = 'fail', nul = 'fail', errors = 'strict' } = asked;
  const encodings = { from: findEncoding(from), to: findEncoding(to) };
  return new Repairer({ ...encodings, loneHalves, nul, errors }, format);
}

/** Flaws as `kind@offset+length:becomes`. */
function list(repairer: Repairer, text: Uint8Array): string[] {
  const flaws = repairer.repair(text)?.flaws ?? [];
  return flaws.map(({ offset, length, kind, becomes }) => {
    const hex = becomes && Buffer.from(becomes).toString('hex').toUpperCase();
    return `${kind}@${offset}+${length}:${hex ?? 'refused'}`;
  });
}

describe('a flaw is what somebody meant', () => {
  it.each([
    ['a pair', {}, '41 ED A0 BD ED B8 80 42', ['pair@1+6:F09F9880']],
    [
      'a pair that the source does not take',
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
      ['four-byte form@0+4:EDA0BDEDB880'],
    ],
    [
      'a four-byte form in CESU-8',
      { from: 'cesu-8' },
      'F0 9F 98 80',
      ['four-byte form@0+4:refused'],
    ],
    ['a high half', {}, 'ED A0 BD 41', ['lone half@0+3:refused']],
    ['a low half', {}, 'ED B8 80', ['lone half@0+3:refused']],
    [
      'halves in the wrong order',
      {},
      'ED B8 80 ED A0 BD',
      ['lone half@0+3:refused', 'lone half@3+3:refused'],
    ],
    [
      'a half before a pair',
      {},
      'ED A0 BD ED A0 BD ED B8 80',
      ['lone half@0+3:refused', 'pair@3+6:F09F9880'],
    ],
    ['a half that the source takes', { from: 'mutf-8' }, 'ED A0 BD', ['lone half@0+3:refused']],
    [
      'a half that both take',
      { from: 'mutf-8', to: 'mutf-8' },
      'EC 97 90 ED A0 BD',
      ['lone half@3+3:refused'],
    ],
    ['halves replaced', { loneHalves: 'replace' }, 'ED A0 BD', ['lone half@0+3:EFBFBD']],
    ['halves escaped', { loneHalves: 'escape' }, 'ED A0 BD', ['lone half@0+3:5C7544383344']],
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
    ['an overlong', {}, 'C0 AF E0 80 AF', ['overlong@0+2:refused', 'overlong@2+3:refused']],
    ['an overlong that the source takes', { from: 'mutf-8-lenient' }, 'C1 81', ['overlong@0+2:41']],
    [
      'an overlong that the target takes too',
      { from: 'mutf-8-lenient', to: 'mutf-8-lenient' },
      'C1 81',
      ['overlong@0+2:41'],
    ],
    ['an overlong half', {}, 'F0 8D A0 BD', ['overlong@0+4:refused']],
    [
      'a stray byte, and one that leads nothing',
      { errors: 'ignore' },
      '80 FF',
      ['other@0+1:', 'other@1+1:'],
    ],
    ['a maximal subpart', { errors: 'replace' }, 'E2 82 41', ['other@0+2:EFBFBD']],
    [
      'several of them',
      { errors: 'replace' },
      'F4 90 80 80',
      Array.from({ length: 4 }, (_, i) => `other@${i}+1:EFBFBD`),
    ],
    [
      'half of a half',
      { from: 'cesu-8', errors: 'replace' },
      'ED A0 BD ED B0',
      ['lone half@0+3:refused', 'other@3+2:EFBFBD'],
    ],
    ['bytes escaped', { errors: 'backslashreplace' }, 'E2 82', ['other@0+2:5C7845325C783832']],
    ['what Unicode has not', { from: 'rfc2279' }, 'F8 88 80 80 80', ['other@0+5:refused']],
    [
      'what both have that Unicode has not',
      { from: 'rfc2279', to: 'rfc2279' },
      'F8 88 80 80 80',
      [],
    ],
  ] satisfies [string, Asked, string, string[]][])('%s', (_, asked, text, flaws) => {
    expect(list(createRepairer(asked), hex(text))).toEqual(flaws);
  });

  it('has a reason where the source does not take it', () => {
    const [first, second, third] =
      createRepairer().repair(hex('C0 AF ED A0 BD ED A0 BD ED B8 80'))?.flaws ?? [];
    expect([first?.reason, second?.reason, third?.reason]).toEqual([
      'overlong',
      'surrogate',
      undefined,
    ]);
  });
});

describe('the spellings of a format', () => {
  it.each([
    ['text put in is quoted', quoting, { loneHalves: 'escape' }, 'ED A0 BD', '\\\\uD83D'],
    ['so are bytes', quoting, { errors: 'backslashreplace' }, 'FF', '\\\\xFF'],
    ['a half is spelled as JSON has it', json, { loneHalves: 'escape' }, 'ED A0 BD', '\\ud83d'],
    ['an escaped U+0000 is one', quoting, { nul: 'replace' }, '61 5C 30', 'a\uFFFD'],
    [
      'an escaped backslash before a zero is none',
      quoting,
      { nul: 'remove' },
      '5C 5C 30 5C 30',
      '\\\\0',
    ],
    [
      'a backslash takes no part of a longer character',
      quoting,
      { nul: 'remove' },
      '5C ED A0 BD ED B8 80',
      '\\😀',
    ],
    ['a backslash goes with what it escapes', quoting, { nul: 'remove' }, '5C 00 30', '0'],
    ['and takes nothing put in', quoting, { errors: 'backslashreplace' }, '5C FF', '\\\\xFF'],
    ['JSON spells it with six', json, { nul: 'remove' }, '5C 75 30 30 30 30 5C 6E', '\\n'],
  ] satisfies [string, Format, Asked, string, string][])('%s', (_, format, asked, text, result) => {
    const bytes = createRepairer(asked, format).repair(hex(text))?.bytes ?? hex('');
    expect(Buffer.from(bytes).toString()).toBe(result);
  });

  it('has none where the field says that no backslash escapes', () => {
    const repairer = createRepairer({ nul: 'remove', errors: 'backslashreplace' }, fielded);
    const text = hex('5C 30 5C FF');
    const repaired = (field?: { escapes: boolean }) =>
      Buffer.from(repairer.repair(text, field)?.bytes ?? text).toString();
    expect(repaired({ escapes: false })).toBe('\\0\\\\xFF');
    expect(repaired()).toBe('\\\\xFF');
  });

  it('is kept with --nul keep', () => {
    expect(createRepairer({ nul: 'keep' }, quoting).repair(Buffer.from('\\0'))).toBeUndefined();
  });
});

describe('refused combinations', () => {
  it.each([
    [
      { loneHalves: 'keep' },
      '--lone-halves keep needs a target that has them, and utf-8 has none; use fail, replace or escape',
    ],
    [
      { loneHalves: 'keep', to: 'mutf-8', nul: 'remove' },
      '--lone-halves keep with --nul remove could make one character of two halves; use replace instead of remove',
    ],
    [
      { loneHalves: 'keep', to: 'mutf-8', errors: 'ignore' },
      '--lone-halves keep with --errors ignore could make one character of two halves; use replace instead of ignore',
    ],
  ] satisfies [Asked, string][])('%j', (asked, sentence) => {
    expect(() => createRepairer(asked)).toThrow(new UsageFailure(sentence));
  });
});

describe('laws', () => {
  const seed = Date.now() | 0;
  const runs = { seed, numRuns: 10_000 };
  const labels = [
    'utf-8',
    'cesu-8',
    'cesu-8-lenient',
    'cesu-8+utf-8',
    'mutf-8',
    'mutf-8-lenient',
    'rfc2279',
  ];

  const pieces = [
    ...[
      '41',
      '5C',
      '30',
      '5C 30',
      'C3 A9',
      'ED 95 9C',
      'EC 97 90',
      'E4 B8 AD',
      'EF BF BD',
      'EF BB BF',
    ],
    ...[
      'ED A0 BD ED B8 80',
      'F0 9F 98 80',
      'ED A0 BD',
      'ED B8 80',
      '00',
      'C0 80',
      'E0 80 80',
      'C1 81',
    ],
    ...[
      'E0 80 AF',
      'F0 80 80 AF',
      'F4 90 80 80',
      'F8 88 80 80 80',
      'FC 84 80 80 80 80',
      'ED A0',
      'ED',
      'E2 82',
    ],
    ...['5C 00', '5C FF', '5C ED A0 BD', 'F0 9F', '80', 'BF', 'FE', 'FF'],
  ].map(hex);
  const text = fc
    .array(fc.constantFrom(...pieces), { maxLength: 12 })
    .map((some) => Buffer.concat(some));
  const noise = fc.uint8Array({ maxLength: 24 });
  const bytes = fc.oneof(text, text, noise);
  const asked = fc.record({
    from: fc.constantFrom(...labels),
    to: fc.constantFrom(...labels),
    loneHalves: fc.constantFrom('fail', 'replace', 'escape', 'keep'),
    nul: fc.constantFrom('keep', 'remove', 'replace', 'fail'),
    errors: fc.constantFrom('strict', 'replace', 'ignore', 'backslashreplace'),
  }) as fc.Arbitrary<Required<Asked>>;
  const format = fc.constantFrom(plain, quoting, json);

  const law = (
    name: string,
    test: (repairer: Repairer, bytes: Uint8Array, asked: Required<Asked>, format: Format) => void,
  ): void =>
    it(`${name} (seed ${seed})`, () => {
      fc.assert(
        fc.property(asked, format, bytes, (asked, format, bytes) => {
          let repairer: Repairer;
          try {
            repairer = createRepairer(asked, format);
          } catch {
            fc.pre(false);
            return;
          }
          test(repairer, bytes, asked, format);
        }),
        runs,
      );
    });

  law(
    'a second pass, from the target to itself, changes nothing',
    (repairer, bytes, asked, format) => {
      const repair = repairer.repair(bytes);
      if (!repair || repair.flaws.some(({ becomes }) => !becomes)) return;
      const again = createRepairer({ ...asked, from: asked.to }, format);
      expect(again.repair(repair.bytes)).toBeUndefined();
    },
  );

  law('nor does one from mixed', (repairer, bytes, asked, format) => {
    if (asked.from !== 'cesu-8+utf-8' || asked.to !== 'utf-8') return;
    const repair = repairer.repair(bytes);
    if (!repair || repair.flaws.some(({ becomes }) => !becomes)) return;
    expect(createRepairer(asked, format).repair(repair.bytes)).toBeUndefined();
  });

  law('the result is well-formed in the target', (repairer, bytes, { to }) => {
    const repair = repairer.repair(bytes);
    if (repair?.flaws.some(({ becomes }) => !becomes)) return;
    expect(findEncoding(to).codec.isValid(repair?.bytes ?? bytes)).toBe(true);
  });

  law(
    'what is well-formed on both sides passes, but for halves, U+0000 and what is never written',
    (repairer, bytes, { from, to }) => {
      if (to === 'cesu-8+utf-8' || to === 'mutf-8-lenient') return;
      const isWellFormed = [from, to].every((label) => findEncoding(label).codec.isValid(bytes));
      if (!isWellFormed) return;
      const kinds = (repairer.repair(bytes)?.flaws ?? []).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind !== 'lone half' && kind !== 'nul')).toEqual([]);
    },
  );

  law('what is clean has no flaws', (repairer, bytes) => {
    // The same bytes behind a flaw are looked at one by one.
    const flaws = repairer.repair(Buffer.concat([hex('FF'), bytes]))?.flaws ?? [];
    if (repairer.isClean(bytes)) expect(flaws.filter(({ offset }) => offset > 0)).toEqual([]);
  });

  law('undoing the flaws restores the text', (repairer, bytes) => {
    const repair = repairer.repair(bytes);
    if (!repair) return;
    const parts: Uint8Array[] = [];
    let end = 0;
    let shift = 0;
    for (const { offset, length, becomes } of repair.flaws) {
      parts.push(
        repair.bytes.subarray(end, offset + shift),
        bytes.subarray(offset, offset + length),
      );
      end = offset + shift + (becomes?.length ?? length);
      shift += (becomes?.length ?? length) - length;
    }
    parts.push(repair.bytes.subarray(end));
    expect(Buffer.concat(parts)).toEqual(Buffer.from(bytes));
  });

  law('where no policy is needed, a repair is what transcode does', (_, bytes, { from, to }) => {
    const { codec: source } = findEncoding(from);
    const { codec: target } = findEncoding(to);
    const repairer = createRepairer({ from, to, nul: 'keep' });
    if (!source.isValid(bytes)) return;
    const repair = repairer.repair(bytes);
    if (repair?.flaws.some(({ becomes }) => !becomes)) return;
    expect(Buffer.from(repair?.bytes ?? bytes)).toEqual(
      Buffer.from(transcode(bytes, source, target)),
    );
  });

  it(`Hangul, CJK and emoji raise nothing (seed ${seed})`, () => {
    const character = fc.oneof(
      fc.integer({ min: 0xac00, max: 0xd7a3 }),
      fc.integer({ min: 0x4e00, max: 0x9fff }),
      fc.integer({ min: 0x1f300, max: 0x1faff }),
    );
    const repairer = createRepairer();
    fc.assert(
      fc.property(fc.array(character), (codePoints) => {
        const text = Buffer.from(String.fromCodePoint(...codePoints));
        expect(repairer.isClean(text)).toBe(true);
        expect(repairer.repair(text)).toBeUndefined();
        // Nor where they stand beside what does.
        const flaws = list(repairer, Buffer.concat([text, hex('ED A0 BD'), text]));
        expect(flaws).toEqual([`lone half@${text.length}+3:refused`]);
      }),
      runs,
    );
  });
});

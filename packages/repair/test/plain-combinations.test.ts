/**
 * All short plain texts of some parts, with each policy: findings make the result, and a snapshot shows every change of what
 * is found. The longest texts are left to `.ci/run`.
 */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createRepairer,
  errorsPolicies,
  nulPolicies,
  type Repair,
  type Repairer,
  RepairOptionError,
  type RepairOptions,
  surrogatePolicies,
} from '../src/index.js';
import {
  describeRepair,
  FOUR,
  HIGH,
  itOfUpTo,
  type Lengths,
  LOW,
  latin,
  NUL,
  PAIR,
  show,
  survey,
} from './survey.js';

/** Checks that findings are in order, and make the result. */
function checkFindings(bytes: Uint8Array, { bytes: result, findings }: Repair): void {
  let made = '';
  let end = 0;
  for (const { offset, length, becomes } of findings) {
    if (offset < end) expect.fail(`findings overlap in ${JSON.stringify(show(bytes))}`);
    made += show(bytes.subarray(end, offset));
    made += show(becomes ?? bytes.subarray(offset, offset + length));
    end = offset + length;
  }
  made += show(bytes.subarray(end));
  if (made !== show(result))
    expect.fail(`findings do not make the result: ${JSON.stringify(made)}`);
}

/** Surveys plain texts after the same text. */
const surveyPlain = (
  parts: readonly string[],
  lengths: Lengths,
  repair: Repairer,
  before = '',
): Record<string, string> =>
  survey(parts, lengths, (text) => {
    const bytes = latin(before + text);
    const found = repair(bytes);
    if (found.findings.length > 0) checkFindings(bytes, found);
    return [found];
  });

describe('plain texts', () => {
  const parts = [
    ...[
      'a',
      'B',
      ' ',
      '\n',
      '\\',
      '0',
      '\0',
      NUL,
      PAIR,
      HIGH,
      LOW,
      FOUR,
      '\xc3',
      '\xe9',
      '\xe2\x82',
    ],
    ...[
      '\xff',
      '\x80',
      '\xed',
      '\xf4\x90\x80\x80',
      '\xfc\x84\x80\x80\x80\x80',
      '\xe0\x9f\xbf',
      '\xc3\xa9',
      '\xef\xbf\xbd',
    ],
  ];
  const labels = ['utf-8', 'cesu-8', 'cesu-8+utf-8', 'mutf-8', 'wtf-8', 'rfc2279'];
  const syntax = {
    quote: (text: string) => text.replaceAll('\\', '\\\\'),
    nuls: [latin('\\0'), latin('\\u0000')],
  };
  /** All policies, and each pair of them with an encoding. */
  const settings: Partial<RepairOptions>[] = [];
  for (const [i, unpairedSurrogates] of surrogatePolicies.entries()) {
    for (const [k, nul] of nulPolicies.entries()) {
      for (const [m, errors] of errorsPolicies.slice(0, 5).entries()) {
        settings.push({
          ...{ unpairedSurrogates, nul, errors },
          to: labels[(i + k + m) % labels.length] as string,
          ...((i + k) % 2 === 0 ? { syntax } : {}),
        });
      }
    }
  }

  /** Surveys texts with some of the policies. */
  const surveySettings = (from: string, isChosen: (i: number) => boolean): void => {
    const repairers = settings.flatMap((options): Repairer[] => {
      try {
        return [createRepairer({ from, ...options })];
      } catch (error) {
        expect(error).toBeInstanceOf(RepairOptionError);
        return [];
      }
    });
    expect(repairers.length).toBeGreaterThan(60);
    const chosen = repairers.filter((_, i) => isChosen(i));
    const outcomes = chosen.map((repair) => surveyPlain(parts, [1, 2], repair));
    const hash = (texts: unknown): string =>
      createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 12);
    expect(outcomes.map(hash)).toMatchSnapshot();
  };

  describe.each(labels)('in %s', (from) => {
    it('with each tenth of the policies', () => surveySettings(from, (i) => i % 10 === 0));
    it('with the others', { tags: ['slow'] }, () => surveySettings(from, (i) => i % 10 > 0));
  });

  it('long enough for the screen', () => {
    const repair = createRepairer({ from: 'cesu-8+utf-8', nul: 'remove', mojibake: 'repair' });
    for (const length of [61, 63, 64]) {
      const before = 'x'.repeat(length);
      const found = surveyPlain(parts, [1, 2], repair, before);
      expect(found).toMatchSnapshot();
    }
  });

  itOfUpTo(4, 'of legacy bytes', (lengths) => {
    const some = [
      'a',
      'B',
      ' ',
      '\n',
      '\xc3',
      '\xe9',
      '\xe2\x82',
      '\xff',
      '\xdf',
      '\xc3\xa9',
      '\xf4\x90\x80\x80',
      '\0',
    ];
    for (const from of ['utf-8', 'cesu-8+utf-8']) {
      const repair = createRepairer({ from, errors: 'windows-1252', nul: 'keep' });
      expect(surveyPlain(some, lengths, repair)).toMatchSnapshot();
    }
  });
});

describe('mojibake', () => {
  const misread = (text: string): string =>
    show(new TextEncoder().encode(show(new TextEncoder().encode(text))));
  const written = (text: string): string => show(new TextEncoder().encode(text));
  const parts = [
    ...['a', 'S', ' ', '1', '\n', '\\', '\\u0041', '\\n', '\xff'],
    ...['é', 'à', 'ж', 'α', '日', 'ế', '™', '°', '£', '\u0301', '😀', '\x85', '\x9f'].map(misread),
    ...['Ã', 'Â', 'Ð', '€', '™', '\u00a0', '\u00b1', 'é'].map(written),
    written('Ã©'.replace('Ã', '\u00c3')),
  ];

  for (const [title, before] of [
    ['alone', ''],
    ['in a line that needs one more point', `${misread('´')} `],
    ['after a letter that was not misread', `é ${misread('é')} `],
  ] as const) {
    itOfUpTo(3, title, (lengths) => {
      for (const errors of ['replace', 'windows-1252'] as const) {
        const asked = { mojibake: 'repair', nul: 'keep', errors } as const;
        const repair = createRepairer({ from: 'cesu-8+utf-8', ...asked });
        expect(surveyPlain(parts, lengths, repair, before)).toMatchSnapshot();
      }
    });
  }

  const trails = [
    0x80, 0x83, 0x85, 0x86, 0x8a, 0x90, 0x9f, 0xa0, 0xa9, 0xad, 0xb0, 0xb1, 0xb4, 0xb7, 0xbc, 0xbf,
  ];
  const some = [0x80, 0x9f, 0xbf];
  const isOther = (trail: number): boolean => !trails.includes(trail);

  it.each([
    ['two', 0xc2, 0xdf, trails, []],
    ['three', 0xe0, 0xef, trails, some],
    ['four', 0xf0, 0xf5, trails, some],
  ])('of each lead of %s bytes, with some neighbours', (_, low, high, seconds, thirds) =>
    surveyLeads(low, high, seconds, thirds),
  );

  it.each([
    ['two', 0xc2, 0xdf, Array.from({ length: 64 }, (_, i) => 0x80 + i).filter(isOther), []],
    ['three', 0xe0, 0xef, trails, trails.filter((trail) => !some.includes(trail))],
  ])(
    'of each lead of %s bytes, with other trails',
    {
      tags: ['slow'],
    },
    (_, low, high, seconds, thirds) => surveyLeads(low, high, seconds, thirds),
  );

  /** Surveys sequences of some trails, between some neighbours. */
  function surveyLeads(
    low: number,
    high: number,
    seconds: readonly number[],
    thirds: readonly number[],
  ): void {
    const repair = createRepairer({ from: 'cesu-8+utf-8', mojibake: 'repair', nul: 'keep' });
    const outcomes: Record<string, string> = {};
    for (let lead = low; lead <= high; lead++) {
      const hash = createHash('sha256');
      for (const second of seconds) {
        for (const third of thirds.length > 0 ? thirds : [0]) {
          const units = [lead, second, ...(third ? [third] : []), ...(low === 0xf0 ? [0xa0] : [])];
          const sequence = written(String.fromCharCode(...units));
          for (const before of ['', 'a', 'A', '1', ' ', '\\u0041', `${misread('´')} `]) {
            for (const after of ['', 'a', 's', 'A', ' ']) {
              hash.update(describeRepair(repair(latin(before + sequence + after))), 'latin1');
            }
          }
          hash.update(describeRepair(repair(latin(`${misread('´')} ${sequence}${sequence}`))));
        }
      }
      outcomes[lead.toString(16)] = hash.digest('hex').slice(0, 12);
    }
    expect(outcomes).toMatchSnapshot();
  }
});

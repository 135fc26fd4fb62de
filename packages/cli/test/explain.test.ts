import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { codecFor, labels, split } from '@utf8/detect';
import { explainSequence } from '@utf8/explain';
import { describe, expect, it } from 'vitest';
import { scale } from '../../../tooling/tiers/tier.js';
import { formatSequence } from '../src/explain/annotate.js';
import { createStyle } from '../src/terminal/style.js';
import { start } from './built.js';
import { hex, plainEnv, useFolder, utf8 } from './command.js';

const path = useFolder();

const print = async (...args: string[]): Promise<string> =>
  (await utf8(['explain', '--hex', ...args])).stdout.toString();

interface Sequence {
  offset: number;
  length: number;
  bytes: string;
  bits: string;
  codePoint: number | null;
  character: string | null;
  form: string;
  rule: string;
  isBroken: boolean;
  sections: string[];
  variants: Record<string, { isWellFormed: boolean; faults: { offset: number }[] }>;
}

const parse = (stdout: Buffer): Sequence[] =>
  stdout
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** One of each form. */
const EVERYTHING =
  'EFBBBF 41 00 C3A9 EAB080 F09F9880 EDA0BDEDB880 EDA0BD EDB880 C080 C0AE E08081 F0808081 EFBFBD F4908080 F888808080 FC8480808080 C222 E282 80 FE FF E28241 EDA0';

describe('explain says what a newcomer to overlong forms needs to know', async () => {
  const text = await print('2F C0 AE 2E 2F');
  const flowing = text.replace(/\s+/g, ' ');

  it('line by line', () => {
    expect(text.split('\n').slice(0, 7)).toEqual([
      'offset  bytes     bits, marker|payload           character    rule',
      '     0  2F        0|0101111                      U+002F   /   UTF8-1 RFC 3629 §4',
      '     1  C0 AE     110|00000 10|101110            U+002E   .   overlong',
      '        breaks RFC 3629 §3: a character has one spelling, the shortest.',
      '        ✓ mutf-8-lenient',
      '        ✗ the others: overlong at 1, unexpected-continuation at 2; 2 U+FFFD',
      '     3  2E        0|0101110                      U+002E   .   UTF8-1 RFC 3629 §4',
    ]);
  });

  it.each([
    ['what it is', 'C0 AE is an overlong form of U+002E "."'],
    ['why', 'in 2 bytes where 1 byte (2E) would do'],
    ['what a lenient decoder reads', 'A decoder that accepts it all the same reads "/../" here'],
    ['what that is good for', 'the classic bypass for path traversal'],
    ['that it has happened', 'CVE-2000-0884'],
    ['which variant accepts it', 'only mutf-8-lenient, Modified UTF-8 (DataInput), accepts it'],
    ['what strict decoders do', 'it finds 2 faults, at 1 (C0) and 2 (AE)'],
    ['how many U+FFFD', 'writes one U+FFFD for each, so 2 (Unicode 3.9, D93b)'],
    ['where it is written', 'See RFC 3629 §3; RFC 3629 §10; Unicode 3.9 Table 3-7'],
  ])('%s', (_, sentence) => expect(flowing).toContain(sentence));
});

describe('explain shows', () => {
  it.each([
    ['a pair as one character', 'ED A0 BD ED B8 80', 'pair', 0x1f600, 'UTR #26 §2'],
    ['an unpaired high surrogate', 'ED A0 BD', 'highSurrogate', 0xd83d, 'RFC 3629 §3'],
    ['an unpaired low surrogate', 'ED B8 80', 'lowSurrogate', 0xde00, 'RFC 3629 §3'],
    ['a four-byte form', 'F0 9F 98 80', 'fourByte', 0x1f600, 'RFC 3629 §4'],
    ['a four-byte form above U+10FFFF', 'F4 90 80 80', 'beyondUnicode', 0x110000, 'RFC 3629 §3'],
    ['a five-byte form', 'F8 88 80 80 80', 'fiveByte', 0x200000, 'RFC 3629 §3'],
    ['a six-byte form', 'FD BF BF BF BF BF', 'sixByte', 0x7fffffff, 'RFC 3629 §3'],
    ['C0 80', 'C0 80', 'modifiedNul', 0, 'JVMS §4.4.7'],
    ['a raw NUL', '00', 'nul', 0, 'RFC 3629 §4'],
    ['a byte order mark', 'EF BB BF', 'bom', 0xfeff, 'RFC 3629 §6'],
    ['U+FFFD', 'EF BF BD', 'replacement', 0xfffd, 'Unicode 23.8'],
    ['an overlong form of a surrogate', 'F0 8D A0 80', 'overlong', 0xd800, 'RFC 3629 §3'],
    ['a lead alone', 'E2 82', 'cut', null, 'RFC 3629 §4'],
    ['a trail byte alone', '82', 'stray', null, 'RFC 3629 §4'],
    ['a byte of no variant', 'FE', 'never', null, 'RFC 3629 §1'],
  ])('%s', async (_, bytes, form, codePoint, section) => {
    const { stdout } = await utf8(['explain', '--json', '--hex', bytes]);
    const [sequence, ...others] = parse(stdout);
    expect(others).toEqual([]);
    expect(sequence).toMatchObject({ offset: 0, bytes, form, codePoint });
    expect(sequence?.sections[0]).toBe(section);
    for (const label of labels) {
      const { isValid, faults } = codecFor(label);
      expect(sequence?.variants[label]).toMatchObject({
        isWellFormed: isValid(hex(bytes)),
        faults: Array.from(faults(hex(bytes)), ({ offset, length, reason }) => ({
          offset,
          length,
          reason,
        })),
      });
    }
  });

  it('never includes what follows a truncated sequence', async () => {
    const { stdout } = await utf8(['explain', '--json', '--hex', 'C2 22 E2 82 3C EDA0BD ED 41']);
    expect(parse(stdout).map(({ bytes }) => bytes)).toEqual(
      ['C2', '22', 'E2 82', '3C', 'ED A0 BD', 'ED', '41'], // as many as each has
    );
    const text = (await print('C2 22')).replace(/\s+/g, ' ');
    expect(text).toContain(`but 22, U+0022 '"', comes first, which is not a trail byte`);
    expect(text).toContain('A decoder that skips them');
  });

  it('U+FEFF elsewhere as a character', async () => {
    const { stdout } = await utf8(['explain', '--json', '--hex', '41 EF BB BF']);
    expect(parse(stdout)[1]?.form).toBe('threeByte');
  });

  it('control characters by name, and nothing that acts on a terminal', async () => {
    const { stdout } = await utf8(
      ['explain'],
      'a\x00\x1b[31m\x7f\x9b\u200b\u202e\ufeff\u00ad\t\r\n',
    );
    const text = stdout.toString();
    for (const name of ['NUL', 'ESC', 'DEL', 'CSI', 'ZWS', 'RLO', 'BOM', 'SHY', 'HT', 'CR', 'LF']) {
      expect(text).toMatch(new RegExp(`U\\+\\w+ +${name} `));
    }
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });

  it('one variant only, with --as', async () => {
    const text = await print('C0 AE 41', '--as', 'mutf-8');
    expect(text).toContain('\n        ✗ mutf-8: overlong at 0, unexpected-continuation at 1; 2 U');
    expect(text).not.toContain('the others');
    expect(text).toContain('it is well-formed mutf-8.');
  });

  it('nothing of nothing', async () => {
    expect((await utf8(['explain'])).stdout.toString()).toBe('The input is empty.\n');
    expect((await utf8(['explain', '--json'])).stdout.toString()).toBe('');
  });
});

describe('--hex', () => {
  it.each([
    ['ED A0 BD'],
    ['eda0bd'],
    ['0xED,0xA0, 0xBD'],
    ['\\xED\\xA0\\xBD'],
    ['%ed%a0%bd'],
    ['0xEDA0BD'],
    ['ED\tA0\nBD'],
  ])('%j', async (text) => {
    const { status, stdout } = await utf8(['explain', '--json', '--hex', text]);
    expect([status, parse(stdout)[0]?.bytes]).toEqual([0, 'ED A0 BD']);
  });

  it('without quotes', async () => {
    expect(await print('ED', 'A0', 'BD')).toBe(await print('ED A0 BD'));
  });
});

describe('what every variant says of the sequences is what it says of the whole', () => {
  it('in one piece, from a file, and in parts that end anywhere, from a pipe', async () => {
    // Seeded, so that a failure can be repeated.
    let seed = 2279;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % below;
    };
    const pieces = EVERYTHING.split(' ').map(hex);
    const chosen = Array.from({ length: scale(3000) }, () => {
      const piece = pieces[random(pieces.length)] as Buffer;
      const copy = Buffer.from(piece.subarray(0, random(8) ? piece.length : 1 + random(3)));
      if (random(6) === 0) copy[random(copy.length)] = 0x80 + random(128);
      return copy;
    });
    const bytes = Buffer.concat(chosen);
    writeFileSync(path('mixed'), bytes);
    const { stdout } = await utf8(['explain', '--json', path('mixed')]);
    const sequences = parse(stdout);
    const parts: Buffer[] = [];
    for (let i = 0; i < bytes.length; i += parts.at(-1)?.length ?? 0) {
      parts.push(bytes.subarray(i, i + 1 + random(7)));
    }
    expect((await utf8(['explain', '--json'], parts)).stdout.equals(stdout)).toBe(true);
    expect(hex(sequences.map((sequence) => sequence.bytes).join(' ')).equals(bytes)).toBe(true);
    for (const label of labels) {
      const faults = sequences.flatMap(({ variants }) => variants[label]?.faults ?? []);
      expect(faults, label).toEqual(
        Array.from(codecFor(label).faults(bytes), ({ offset, length, reason }) => ({
          offset,
          length,
          reason,
        })),
      );
      for (const { variants, codePoint, bytes } of sequences.slice(0, 2000)) {
        if (!variants[label]?.isWellFormed) continue;
        const { decodeCodePoints, grammar } = codecFor(label);
        // There no two numbers are a pair.
        if (grammar.domain === '31 bits' && hex(bytes).length === 6 && bytes.startsWith('ED'))
          continue;
        expect([...decodeCodePoints(hex(bytes))], bytes).toEqual([codePoint]);
      }
    }
  });
});

describe('looks', () => {
  it('keeps to 80 columns', async () => {
    const text = await print(EVERYTHING);
    for (const line of text.split('\n')) expect([...line].length, line).toBeLessThanOrEqual(80);
    const [sequence] = split(hex('41'), 1_000_000, true);
    const far = formatSequence(explainSequence(sequence as never), createStyle(true));
    expect(far[0]).toBe(`1000000  41        0|1000001${' '.repeat(22)}U+0041   A   UTF8-1`);
    // Nothing is left to be filled in.
    expect(text).not.toMatch(/(?<!\\u)\{|undefined|NaN/);
  });

  it('marks payload bits by colour on a terminal, and nothing else changes', async () => {
    const run = async (env: NodeJS.ProcessEnv) => {
      const surroundings = { env: plainEnv(env), terminal: 'both' } as const;
      return (await utf8(['explain', '--hex', 'C3 A9'], '', surroundings)).stdout.toString();
    };
    const coloured = await run({});
    expect(coloured).toContain('\x1b[4m');
    expect(stripVTControlCharacters(coloured)).toContain('     0  C3 A9     11000011 10101001');
    expect(await run({ NO_COLOR: '1' })).not.toContain('\x1b[');
  });

  it('obeys FORCE_COLOR, NO_COLOR and --no-color', async () => {
    const run = async (args: string[], env: NodeJS.ProcessEnv) => {
      const options = { env: plainEnv(env) };
      return (await utf8(['explain', '--hex', '41', ...args], '', options)).stdout.includes('\x1b');
    };
    expect(await run([], {})).toBe(false);
    expect(await run([], { FORCE_COLOR: '1' })).toBe(true);
    expect(await run([], { FORCE_COLOR: '0' })).toBe(false);
    expect(await run([], { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false);
    expect(await run(['--no-color'], { FORCE_COLOR: '1' })).toBe(false);
    expect(await run(['--json'], { FORCE_COLOR: '1' })).toBe(false);
  });

  it('explains a line as soon as it is typed', async () => {
    const child = start(['explain']);
    child.stdin?.write(hex('E2 82 0A'));
    let text = '';
    for await (const chunk of child.stdout ?? []) {
      text += chunk;
      // It does not end before.
      if (text.includes('LF')) child.stdin?.end();
    }
    expect(text).toContain('truncated');
  });
});

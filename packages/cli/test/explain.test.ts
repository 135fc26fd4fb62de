import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { explainSequence, split } from '@utf8/explain';
import { describe, expect, it } from 'vitest';
import { choose } from '../../../tooling/tiers/tier.js';
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
  kind: string;
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

/** One sequence of each kind. */
const EVERYTHING =
  'EFBBBF 41 00 C3A9 EAB080 F09F9880 EDA0BDEDB880 EDA0BD EDB880 C080 C0AE E08081 F0808081 EFBFBD F4908080 F888808080 FC8480808080 C222 E282 80 FE FF E28241 EDA0';

describe('explain tells about an overlong sequence', async () => {
  const text = await print('2F C0 AE 2E 2F');
  const flowing = text.replace(/\s+/g, ' ');

  it('explain prints an overlong sequence line by line', () => {
    expect(text.split('\n').slice(0, 7)).toEqual([
      'offset  bytes     bits, marker|payload           character    rule',
      '     0  2F        0|0101111                      U+002F   /   UTF8-1 RFC 3629 §4',
      '     1  C0 AE     110|00000 10|101110            U+002E   .   overlong',
      '        breaks RFC 3629 §3: a character has one encoding, the shortest.',
      '        ✓ mutf-8-lenient',
      '        ✗ the others: overlong at 1, unexpected-continuation at 2; 2 U+FFFD',
      '     3  2E        0|0101110                      U+002E   .   UTF8-1 RFC 3629 §4',
    ]);
  });

  it.each([
    ['its character', 'C0 AE is an overlong encoding of U+002E "."'],
    ['its shortest encoding', 'in 2 bytes where 1 byte (2E) would do'],
    ['the text that a lenient decoder reads', 'A decoder that accepts it anyway reads "/../" here'],
    ['the attack', 'the classic bypass for path traversal'],
    ['a CVE', 'CVE-2000-0884'],
    ['the variant that accepts it', 'only mutf-8-lenient, Modified UTF-8 (DataInput), accepts it'],
    [
      'the malformed sequences that a strict decoder finds',
      'it finds 2 malformed sequences, at 1 (C0) and 2 (AE)',
    ],
    ['the number of U+FFFD', 'writes one U+FFFD for each, so 2 (Unicode 3.9, D93b)'],
    ['the sections of the standards', 'See RFC 3629 §3; RFC 3629 §10; Unicode 3.9 Table 3-7'],
  ])('%s', (_, sentence) => expect(flowing).toContain(sentence));
});

describe('explain shows', () => {
  it('truncated sequences without the bytes after them', async () => {
    const { stdout } = await utf8(['explain', '--json', '--hex', 'C2 22 E2 82 3C EDA0BD ED 41']);
    expect(parse(stdout).map(({ bytes }) => bytes)).toEqual([
      'C2',
      '22',
      'E2 82',
      '3C',
      'ED A0 BD',
      'ED',
      '41',
    ]);
    const text = (await print('C2 22')).replace(/\s+/g, ' ');
    expect(text).toContain(`but 22, U+0022 '"', comes first, which is not a trail byte`);
    expect(text).toContain('A decoder that skips them');
  });

  it('U+FEFF elsewhere as a character', async () => {
    const { stdout } = await utf8(['explain', '--json', '--hex', '41 EF BB BF']);
    expect(parse(stdout)[1]?.kind).toBe('threeByte');
  });

  it('control characters by abbreviation, and no raw control character', async () => {
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

  it('one variant only, with --from', async () => {
    const text = await print('C0 AE 41', '--from', 'mutf-8');
    expect(text).toContain('\n        ✗ mutf-8: overlong at 0, unexpected-continuation at 1; 2 U');
    expect(text).not.toContain('the others');
    expect(text).toContain('it is well-formed mutf-8.');
  });

  it('an empty input, as a sentence or as no JSON', async () => {
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
  ])('--hex accepts %j', async (text) => {
    const { status, stdout } = await utf8(['explain', '--json', '--hex', text]);
    expect([status, parse(stdout)[0]?.bytes]).toEqual([0, 'ED A0 BD']);
  });

  it('--hex accepts bytes without quotes', async () => {
    expect(await print('ED', 'A0', 'BD')).toBe(await print('ED A0 BD'));
  });
});

describe('explain of a pipe in parts', () => {
  it('prints the same as explain of a file', async () => {
    const bytes = hex(EVERYTHING.repeat(20));
    writeFileSync(path('mixed'), bytes);
    const { stdout } = await utf8(['explain', '--json', path('mixed')]);
    const lengths = choose([1, 2, 3, 5, 7], 2);
    const parts: Buffer[] = [];
    for (let i = 0; i < bytes.length; i += parts.at(-1)?.length ?? 0) {
      parts.push(bytes.subarray(i, i + (lengths[parts.length % 2] as number)));
    }
    expect((await utf8(['explain', '--json'], parts)).stdout.equals(stdout)).toBe(true);
    const sequences = parse(stdout);
    expect(hex(sequences.map((sequence) => sequence.bytes).join(' ')).equals(bytes)).toBe(true);
    expect(sequences.map(({ offset }) => offset)).toEqual(
      sequences.map((_, k) => sequences.slice(0, k).reduce((sum, { length }) => sum + length, 0)),
    );
  });
});

describe('the output of explain', () => {
  it('the output of explain has at most 80 columns', async () => {
    const text = await print(EVERYTHING);
    for (const line of text.split('\n')) expect([...line].length, line).toBeLessThanOrEqual(80);
    const [sequence] = split(hex('41'), 1_000_000, true);
    const far = formatSequence(explainSequence(sequence as never), createStyle(true));
    expect(far[0]).toBe(`1000000  41        0|1000001${' '.repeat(22)}U+0041   A   UTF8-1`);
    // Nothing is left to be filled in.
    expect(text).not.toMatch(/(?<!\\u)\{|undefined|NaN/);
  });

  it('explain underlines payload bits on a terminal', async () => {
    const run = async (env: NodeJS.ProcessEnv) => {
      const surroundings = { env: plainEnv(env), terminal: 'both' } as const;
      return (await utf8(['explain', '--hex', 'C3 A9'], '', surroundings)).stdout.toString();
    };
    const coloured = await run({});
    expect(coloured).toContain('\x1b[4m');
    expect(stripVTControlCharacters(coloured)).toContain('     0  C3 A9     11000011 10101001');
    expect(await run({ NO_COLOR: '1' })).not.toContain('\x1b[');
  });

  it('explain obeys FORCE_COLOR, NO_COLOR and --no-color', async () => {
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

import { describe, expect, it } from 'vitest';
import { hex, utf8 } from './command.js';

const convert = (from: string, to: string, input: string, ...args: string[]) =>
  utf8(['convert', '--from', from, '--to', to, ...args], hex(input));

describe('every label converts', () => {
  it.each([
    ['utf-8', 'mutf-8', '41 00 F0 9F 98 80', '41 C0 80 ED A0 BD ED B8 80'],
    ['mutf-8', 'utf-8', '41 C0 80 ED A0 BD ED B8 80', '41 00 F0 9F 98 80'],
    ['modified-utf-8', 'utf-8', 'C0 80', '00'],
    ['MUTF-8-lenient', 'utf-8', '00 C0 AE E0 81 81', '00 2E 41'],
    ['mutf-8-lenient', 'mutf-8', '00 C1 81', 'C0 80 41'],
    ['utf-8', 'mutf-8-lenient', '00', 'C0 80'],
    ['mutf-8', 'cesu-8-lenient', 'ED A0 BD', 'ED A0 BD'],
    ['rfc2279', 'utf-8', 'F0 9F 98 80', 'F0 9F 98 80'],
    ['rfc2279', 'rfc2279', 'FD BF BF BF BF BF', 'FD BF BF BF BF BF'],
    ['cesu-8', 'rfc2279', 'ED A0 BD ED B8 80', 'F0 9F 98 80'],
    ['csCESU-8', 'csUTF8', 'ED A0 BD ED B8 80', 'F0 9F 98 80'],
    ['cesu8', 'utf8mb4', 'ED A0 BD ED B8 80', 'F0 9F 98 80'],
    ['wtf-8', 'utf-8', '41 00 F0 9F 98 80', '41 00 F0 9F 98 80'],
    ['wtf8', 'mutf8', 'ED A0 BD F0 9F 98 80 00', 'ED A0 BD ED A0 BD ED B8 80 C0 80'],
    ['mutf-8', 'WTF-8', 'ED A0 BD ED B8 80 ED A0 BD C0 80', 'F0 9F 98 80 ED A0 BD 00'],
    ['cesu-8-lenient', 'wtf-8', 'ED A0 BD ED A0 BD ED B8 80', 'ED A0 BD F0 9F 98 80'],
    [
      'mutf-8-android',
      'utf-8',
      'C0 80 F0 9F 98 80 ED A0 BD ED B8 80',
      '00 F0 9F 98 80 F0 9F 98 80',
    ],
    [
      'wtf-8-generalized',
      'utf-8',
      '00 F0 9F 98 80 ED A0 BD ED B8 80',
      '00 F0 9F 98 80 F0 9F 98 80',
    ],
    ['wtf-8', 'wtf-8-generalized', 'ED A0 BD F0 9F 98 80', 'ED A0 BD F0 9F 98 80'],
    ['mutf-8-android', 'mutf-8-android', 'ED A0 BD ED B8 80 ED B8 80', 'F0 9F 98 80 ED B8 80'],
    ['utf-8', 'mutf-8-android', '00 F0 9F 98 80', 'C0 80 F0 9F 98 80'],
    ['utf8mb3', 'utf-8', '41 ED 95 9C EF BF BF', '41 ED 95 9C EF BF BF'],
    ['utf-8', 'utf8mb3', '41 00 ED 95 9C', '41 00 ED 95 9C'],
  ])('%s to %s', async (from, to, input, output) => {
    expect(await convert(from, to, input)).toMatchObject({
      status: 0,
      stdout: hex(output),
      stderr: '',
    });
  });

  it('as a vendor calls them', async () => {
    const pair = 'ED A0 BD ED B8 80';
    const { status, stdout } = await convert('UTF8', 'AL32UTF8', pair, '--vendor', 'oracle');
    expect([status, stdout]).toEqual([0, hex('F0 9F 98 80')]);
    const check = async (vendor: string, input: string) =>
      (await utf8(['check', '--from', 'utf8', '--vendor', vendor], hex(input))).status;
    expect(await check('oracle', pair)).toBe(0);
    expect(await check('mysql', pair)).toBe(1);
    expect(await check('mysql', 'F0 9F 98 80')).toBe(1);
    expect(await check('mysql', 'ED 95 9C')).toBe(0);
  });
});

describe('what the target cannot encode has its offset in the source', () => {
  it.each([
    ['rfc2279', 'utf-8', '41 F4 90 80 80 41', 1, 4, 'unrepresentable'],
    ['rfc2279', 'cesu-8', '41 41 FC 84 80 80 80 80', 2, 6, 'unrepresentable'],
    ['mutf-8', 'utf-8', 'C3 A9 ED A0 BD 41', 2, 3, 'surrogate'],
    ['mutf-8', 'cesu-8', 'C0 80 ED B8 80', 2, 3, 'surrogate'],
    ['cesu-8-lenient', 'utf-8', '41 ED A0 BD', 1, 3, 'surrogate'],
    ['wtf-8', 'utf-8', '41 F0 9F 98 80 ED A0 BD 41', 5, 3, 'surrogate'],
    ['mutf-8-android', 'cesu-8', 'C0 80 ED B8 80', 2, 3, 'surrogate'],
    ['utf-8', 'utf8mb3', 'C3 A9 F0 9F 98 80', 2, 4, 'too-large'],
    ['cesu-8', 'utf8mb3', '41 ED A0 BD ED B8 80', 1, 6, 'too-large'],
  ])('%s to %s: %s', async (from, to, input, offset, length, reason) => {
    const { status, stderr, stdout } = await convert(from, to, input, '--json');
    expect(status).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ offset, length, reason });
    expect(stdout.length).toBeLessThanOrEqual(offset);
    const told = await convert(from, to, input);
    expect(told.stderr).toContain(`: offset ${offset}: ${reason}: `);
    expect(told.stderr).toContain(`${to} cannot encode this`);
  });

  it('and is repaired as --errors says', async () => {
    const { status, stdout, stderr } = await convert(
      'rfc2279',
      'utf-8',
      '41 F4 90 80 80 42',
      '--errors',
      'replace',
    );
    expect([status, stdout, stderr]).toEqual([
      0,
      hex('41 EF BF BD 42'),
      'utf8: replaced 1 malformed character (unrepresentable 1)\n',
    ]);
  });
});

describe('records from WTF-8', () => {
  const lines = '61 ED A0 BD 62 0A F0 9F 98 80 0A';

  it.each([
    ['replace', '61 EF BF BD 62 0A F0 9F 98 80 0A'],
    ['escape', '61 5C 75 64 38 33 64 62 0A F0 9F 98 80 0A'],
  ])('have unpaired surrogates repaired: %s', async (policy, output) => {
    const options = ['--format', 'lines', '--unpaired-surrogates', policy];
    const { status, stdout } = await convert('wtf-8', 'utf-8', lines, ...options);
    expect([status, stdout]).toEqual([0, hex(output)]);
  });

  it('keep them where the target has them, and are refused otherwise', async () => {
    const keep = ['--format', 'lines', '--unpaired-surrogates', 'keep'];
    const kept = await convert('wtf-8', 'mutf-8-android', lines, ...keep);
    expect([kept.status, kept.stdout]).toEqual([0, hex(lines)]);
    const { status, stderr } = await convert('wtf-8', 'utf-8', lines, '--format', 'lines');
    expect(status).toBe(1);
    expect(stderr).toContain('unpaired-surrogate');
  });

  it('have pairs written as the target writes them', async () => {
    const pairs = 'ED A0 BD ED B8 80 0A 61 0A';
    for (const from of ['mutf-8', 'cesu-8-lenient', 'mutf-8-android', 'cesu-8']) {
      for (const to of ['wtf-8', 'mutf-8-android', 'utf-8']) {
        const { stdout } = await convert(from, to, pairs, '--format', 'lines');
        expect(stdout, `${from} to ${to}`).toEqual(hex('F0 9F 98 80 0A 61 0A'));
      }
    }
    expect((await convert('wtf-8', 'utf-8', pairs, '--format', 'lines')).status).toBe(1);
  });

  it('are scanned', async () => {
    const args = ['scan', '--format', 'lines', '--from', 'wtf-8', '--json'];
    const { status, stdout } = await utf8(args, hex(`${lines} ED A0 BD ED B8 80 0A`));
    expect(status).toBe(1);
    const found = stdout
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    expect(found.filter(({ line }) => line).map(({ line, kind }) => [line, kind])).toEqual([
      [1, 'unpaired-surrogate'],
      [3, 'pair'],
    ]);
  });
});

it.each([
  ['--nul', 'remove'],
  ['--errors', 'remove'],
])('%s %s never makes WTF-8 malformed', async (option, policy) => {
  const { status, stderr } = await convert('mutf-8', 'wtf-8', 'ED A0 BD', option, policy);
  expect([status, stderr]).toEqual([
    2,
    `utf8: ${option} ${policy} can join two surrogates, which WTF-8 refuses; use ${option} replace; see utf8 convert --help\n`,
  ]);
  expect((await convert('utf-8', 'wtf-8', '41', option, policy)).status).toBe(0);
});

describe('records to utf8mb3', () => {
  it('have what it does not contain refused, set aside or repaired', async () => {
    const lines = '61 0A F0 9F 98 80 0A';
    const refused = await convert('utf-8', 'utf8mb3', lines, '--format', 'lines', '--json');
    expect(refused.status).toBe(1);
    expect(JSON.parse(refused.stderr)).toMatchObject({
      record: 2,
      kind: 'four-byte',
      reason: 'too-large',
    });
    const options = ['--format', 'lines', '--errors', 'escape'];
    const { status, stdout } = await convert('utf-8', 'utf8mb3', lines, ...options);
    expect([status, stdout.toString()]).toEqual([0, 'a\n\\xf0\\x9f\\x98\\x80\n']);
  });
});

describe('--nul acts on U+0000, however it is spelled', () => {
  it.each([
    ['mutf-8', 'utf-8', 'keep', '41 C0 80 42', '41 00 42'],
    ['mutf-8', 'utf-8', 'remove', '41 C0 80 42', '41 42'],
    ['mutf-8', 'utf-8', 'replace', '41 C0 80 42', '41 EF BF BD 42'],
    ['mutf-8-lenient', 'utf-8', 'remove', '00 C0 80 E0 80 80 42', '42'],
    ['utf-8', 'mutf-8', 'remove', '41 00 42', '41 42'],
    ['utf-8', 'mutf-8', 'replace', '41 00 42', '41 EF BF BD 42'],
  ])('%s to %s, %s', async (from, to, policy, input, output) => {
    const { status, stdout } = await convert(from, to, input, '--nul', policy);
    expect([status, stdout]).toEqual([0, hex(output)]);
  });

  it.each([
    ['mutf-8', '41 C0 80', 'C0 80'],
    ['mutf-8-lenient', '41 E0 80 80', 'E0 80 80'],
    ['rfc2279', '41 00', '00'],
  ])('%s, fail', async (from, input, bytes) => {
    const { status, stderr } = await convert(from, 'utf-8', input, '--nul', 'fail', '--json');
    expect(status).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ offset: 1, reason: 'nul', bytes });
  });
});

describe('check knows every label', () => {
  it.each([
    ['mutf-8', 'C0 80 ED A0 BD', 0],
    ['mutf-8', '00', 1],
    ['mutf-8-lenient', '00 C0 AE', 0],
    ['rfc2279', 'FD BF BF BF BF BF', 0],
    ['rfc2279', 'ED A0 BD', 1],
    ['wtf-8', 'ED A0 BD F0 9F 98 80 ED B8 80', 0],
    ['wtf8', 'ED A0 BD ED B8 80', 1],
    ['mutf-8-android', 'C0 80 ED A0 BD ED B8 80 F0 9F 98 80', 0],
    ['utf8mb3', 'F0 9F 98 80', 1],
    ['utf8mb4', 'F0 9F 98 80', 0],
    ['utf8', 'F0 9F 98 80', 0],
  ])('--from %s of %s ends with %i', async (label, input, status) => {
    expect((await utf8(['check', '--from', label], hex(input))).status).toBe(status);
  });
});

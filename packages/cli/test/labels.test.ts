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
    const checked = await utf8(['check', '--as', 'utf8', '--vendor', 'oracle'], hex(pair));
    expect(checked.status).toBe(0);
  });
});

describe('what the target cannot encode has its offset in the source', () => {
  it.each([
    ['rfc2279', 'utf-8', '41 F4 90 80 80 41', 1, 4, 'unrepresentable'],
    ['rfc2279', 'cesu-8', '41 41 FC 84 80 80 80 80', 2, 6, 'unrepresentable'],
    ['mutf-8', 'utf-8', 'C3 A9 ED A0 BD 41', 2, 3, 'surrogate'],
    ['mutf-8', 'cesu-8', 'C0 80 ED B8 80', 2, 3, 'surrogate'],
    ['cesu-8-lenient', 'utf-8', '41 ED A0 BD', 1, 3, 'surrogate'],
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
      'utf8: replaced 1 fault (unrepresentable 1)\n',
    ]);
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
  ])('--as %s of %s ends with %i', async (label, input, status) => {
    expect((await utf8(['check', '--as', label], hex(input))).status).toBe(status);
  });
});

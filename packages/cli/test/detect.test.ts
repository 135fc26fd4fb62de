import { writeFileSync } from 'node:fs';
import { detect, type Report } from '@utf8/detect';
import { describe, expect, it } from 'vitest';
import { hex, plainEnv, sample, useFolder, utf8 } from './command.js';

const path = useFolder();

/** Returns the output for bytes on stdin. */
const print = async (bytes: string) => (await utf8(['detect'], hex(bytes))).stdout.toString();

describe('detect', () => {
  it('detect prints the verdict, the counts and the variants', async () => {
    const { status, stdout, stderr } = await utf8(['detect', sample]);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.toString()).toBe(`${sample}: cesu-8+utf-8
  368 six-byte pairs and 166 four-byte sequences: some characters above U+FFFF
  are in six bytes and some in four, which cesu-8+utf-8, wtf-8-generalized,
  mutf-8-android and rfc2279-lax accept.
  24811 bytes: two-byte ×1019, three-byte ×1056, four-byte ×166 (first at 162),
    six-byte pairs ×368 (first at 109)
  ✓ cesu-8+utf-8, wtf-8-generalized, mutf-8-android, rfc2279-lax
  ✗ utf-8, rfc2279, utf8mb3: surrogate at byte 109: ED
  ✗ cesu-8, cesu-8-lenient, mutf-8, mutf-8-lenient: wrong-form at byte 162: F0
  ✗ wtf-8: wrong-form at byte 109: ED A0 BD ED B1 A8
`);
  });

  it('detect prints that ASCII and empty input are well-formed in every variant', async () => {
    expect(await print('41 0A')).toMatch(/ASCII.*every variant\.\n.*\n {2}✓ every variant\n$/s);
    expect(await print('')).toMatch(/empty.*\n {2}0 bytes\n {2}✓ every variant\n$/s);
  });

  it('detect prints warnings with !', async () => {
    expect(await print('ED A6 84 ED BC 83')).toContain('  ! 1 six-byte pair would decode to');
  });

  it('detect --json prints the reports of detect(), one a line', async () => {
    writeFileSync(path('java'), hex('41 C0 80'));
    writeFileSync(path('latin1'), hex('E9 74 E9'));
    const files = [path('java'), path('latin1'), '-'];
    const { status, stdout, stderr } = await utf8(['detect', '--json', ...files], hex('41'));
    expect([status, stderr]).toEqual([1, '']);
    const reports = stdout
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Report & { file: string });
    expect(reports.map(({ file }) => file)).toEqual(files);
    expect(reports.map(({ verdict }) => verdict.label)).toEqual(['mutf-8', null, 'utf-8']);
    for (const [i, bytes] of ['41 C0 80', 'E9 74 E9', '41'].entries()) {
      const { type, file, ...report } = reports[i] as Report & { type: string; file: string };
      expect(type).toBe('report');
      expect(report).toEqual(
        JSON.parse(JSON.stringify(detect(hex(bytes)), (_, value) => value ?? null)),
      );
    }
  });

  it('detect ends with 1 if a file is malformed in all variants, and counts these', async () => {
    writeFileSync(path('fine'), 'fine');
    writeFileSync(path('faulty'), hex('FF'));
    const { status, stdout, stderr } = await utf8(['detect', path('fine'), path('faulty')]);
    expect(status).toBe(1);
    expect(stdout.toString()).toContain(`every variant\n\n${path('faulty')}: no variant\n`);
    expect(stderr).toBe('utf8: 1 of 2 files is not well-formed in any variant\n');
    expect((await utf8(['detect'], hex('FF'))).stderr).toBe('');
  });

  it('detect counts the same in files and pipes of several chunks', async () => {
    const bytes = Buffer.alloc(600_001, Buffer.from('a한é😀'));
    writeFileSync(path('long'), bytes);
    for (const [args, input] of [
      [[path('long')], ''],
      [[], bytes],
    ] as const) {
      const { stdout } = await utf8(['detect', '--json', ...args], input);
      expect(JSON.parse(stdout.toString()).counts).toEqual(detect(bytes).counts);
    }
  });

  it('the output of detect has at most 80 columns', async () => {
    const sequences =
      'C3A9 E20000 F09F9880 EDA0BDEDB880 EDA0BD C080 00 C0AE F4908080 F888808080 FC8480808080 FF';
    for (const line of (await print(sequences)).split('\n')) {
      expect([...line].length, line).toBeLessThanOrEqual(80);
    }
  });

  it('detect prints colours only if the terminal or FORCE_COLOR wants them', async () => {
    const run = async (args: string[], env: NodeJS.ProcessEnv) =>
      (await utf8(['detect', ...args], 'A', { env: plainEnv(env) })).stdout.includes('\x1b[');
    expect(await run([], {})).toBe(false);
    expect(await run([], { FORCE_COLOR: '1' })).toBe(true);
    expect(await run([], { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false);
    expect(await run(['--no-color'], { FORCE_COLOR: '1' })).toBe(false);
  });
});

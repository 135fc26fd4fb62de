/** The rule by which class files of different versions spell strings, beside HotSpot's. */
import { type ClassFileError, readClass, readStrings } from '@utf8/classfile';
import { formatBytes, formatUnits } from '@utf8/oracles/interop/answer';
import { generateBytes, shortBytes } from '@utf8/oracles/interop/corpus';
import { afterAll, describe, expect, it } from 'vitest';
import { seed } from '../../../tiers/tier.js';
import { assemble, attribute, member, string, u2, utf8 } from '../src/assemble.js';
import { startJvm } from '../src/jvm.js';

const jvm = await startJvm();
afterAll(() => jvm?.stop());

/** `public static final String V = the bytes;` */
const withConstant = (major: number, bytes: Uint8Array): Uint8Array =>
  assemble({
    major,
    constants: [
      utf8('V'),
      utf8('Ljava/lang/String;'),
      utf8('ConstantValue'),
      utf8([...bytes]),
      string(8),
    ],
    fields: [member(5, 6, attribute(7, u2(9)))],
  });

/** What we make of such a class: the constant's code units, or a refusal. */
function read(major: number, bytes: Uint8Array): string {
  try {
    const constant = readClass(withConstant(major, bytes)).strings[5];
    return `ok ${formatUnits(constant?.string as string)}`;
  } catch (error) {
    if ((error as ClassFileError).reason !== 'malformed-utf8') throw error;
    return 'fault';
  }
}

describe('overlong forms', () => {
  const C181 = Uint8Array.of(0xc1, 0x81);
  const E080AF = Uint8Array.of(0xe0, 0x80, 0xaf);

  it.each([45, 46, 47])('are read in version %i', (major) => {
    expect(read(major, C181)).toBe('ok 0041');
    expect(read(major, E080AF)).toBe('ok 002f');
  });

  it.each([48, 49, 52, 61, 69, 70, 99])('are refused in version %i', (major) => {
    expect(read(major, C181)).toBe('fault');
    expect(read(major, E080AF)).toBe('fault');
  });

  it.each([45, 47, 48, 61])('a raw 00, and four bytes, are refused in version %i', (major) => {
    expect(read(major, Uint8Array.of(0))).toBe('fault');
    expect(read(major, Uint8Array.of(0xf0, 0x9f, 0x98, 0x80))).toBe('fault');
    expect(read(major, Uint8Array.of(0xc0, 0x80))).toBe('ok 0000');
    expect(read(major, Uint8Array.of(0xed, 0xa0, 0xbd))).toBe('ok d83d');
  });

  it('keep their bytes in view', () => {
    const strings = [...readStrings(withConstant(47, C181))];
    expect(strings[5]).toMatchObject({ string: 'A', bytes: C181, fault: undefined });
  });

  it('in names of attributes are other names, as they are to a JVM', () => {
    // "Code", in which C is C1 83, would be truncated.
    const name = [0xc1, 0x83, 0x6f, 0x64, 0x65];
    const file = assemble({
      major: 47,
      constants: [utf8(name), utf8('m'), utf8('()V')],
      methods: [member(6, 7, attribute(5, [1, 2, 3]))],
    });
    expect(readClass(file).strings[2]).toMatchObject({ string: 'Code', kinds: ['attribute'] });
  });
});

describe.runIf(jvm)('HotSpot takes the same strings, for the same', { tags: ['slow'] }, () => {
  it.each([47, 48, 61])('in version %i', async (major) => {
    const inputs = [...shortBytes(), ...generateBytes(seed, 20_000)];
    let accepted = 0;
    for (let i = 0; i < inputs.length; i += 5000) {
      const block = inputs.slice(i, i + 5000);
      const answers = (await jvm?.ask(`class${major}`, block.map(formatBytes))) ?? [];
      for (const [at, bytes] of block.entries()) {
        const theirs = answers[at]?.startsWith('ok') ? answers[at] : 'fault';
        const ours = read(major, bytes);
        if (ours !== theirs)
          expect.fail(`${formatBytes(bytes)}: they say ${answers[at]}, we: ${ours}`);
        if (ours !== 'fault') accepted++;
      }
    }
    expect(accepted).toBeGreaterThan(inputs.length / 10);
    expect(accepted).toBeLessThan(inputs.length);
  });
});

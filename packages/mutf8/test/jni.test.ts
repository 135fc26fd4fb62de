/** `@utf8/mutf8/jni` beside what HotSpot made of arguments, which is recorded, and beside a port of ART. */
import { readFileSync } from 'node:fs';
import * as mutf8 from '@utf8/mutf8';
import * as android from '@utf8/mutf8/android';
import { artNewStringUTF, hotspotNewStringUTF } from '@utf8/mutf8/jni';
import { describe, expect, it } from 'vitest';
import { formatBytes } from '../../../tooling/oracles/interop/src/answer.js';
import { newStringUtf } from '../../../tooling/oracles/interop/src/art.js';
import { generateBytes } from '../../../tooling/oracles/interop/src/corpus.js';
import { Random } from '../../../tooling/oracles/interop/src/random.js';
import { readFrames } from '../../../tooling/oracles/jni/src/frame.js';
import { combine, randomTexts, representatives } from '../../../tooling/oracles/jni/src/input.js';
import { showText } from '../../../tooling/oracles/jni/src/unit.js';
import { choose, scale, seed } from '../../../tooling/tiers/tier.js';

/** The arguments, and the code units of little-endian UTF-16. `tooling/oracles/jni` asks HotSpot again, and records. */
const recorded = readFileSync(new URL('recorded/new-string.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split(' ').map((digits) => Buffer.from(digits, 'hex')) as [Buffer, Buffer]);

it('hotspotNewStringUTF makes what HotSpot made', () => {
  expect(recorded.length).toBeGreaterThan(800);
  for (const [argument, units] of recorded) {
    expect(hotspotNewStringUTF(argument), formatBytes(argument)).toBe(units.toString('utf16le'));
  }
});

describe('artNewStringUTF makes what ART makes', () => {
  /** ART reads an argument up to the first 00. */
  const check = (bytes: Uint8Array): void => {
    const end = bytes.indexOf(0);
    const expected = newStringUtf(end < 0 ? bytes : bytes.subarray(0, end));
    const text = artNewStringUTF(bytes);
    const isSame =
      text.length === expected.length && expected.every((unit, i) => text.charCodeAt(i) === unit);
    if (!isSame) expect.fail(`${formatBytes(bytes)}: ${showText(text)}`);
  };

  // F4, F5, F8: a value up to 10FFFF, above it, and with the bit that ART reads into it.
  const bytes = [...representatives, 0x90, 0xf1, 0xf4, 0xf5, 0xf8];

  it('of no byte, one and two', () => {
    check(new Uint8Array());
    const all = Array.from({ length: 255 }, (_, i) => i + 1);
    for (const first of all) {
      check(Uint8Array.of(first));
      for (const second of choose(all, 40)) check(Uint8Array.of(first, second));
    }
  });

  it.each([3, 4])('of a representative of each kind of bytes, to length %i', (length) => {
    for (const argument of choose([...readFrames(combine(bytes, length))], scale(50_000))) {
      check(argument);
    }
  });

  it('of what looks like text', () => {
    for (const argument of generateBytes(seed, scale(40_000))) check(argument);
  });

  it('of long ones of random bytes, and of what is before the first 00', () => {
    const random = new Random(seed);
    for (let i = 0; i < 30; i++) {
      const length = random.below(10_000);
      const pick = (): number =>
        i % 3 === 0 ? random.pick(bytes) : random.between(i % 3 === 1 ? 1 : 0, 0xff);
      check(Uint8Array.from({ length }, pick));
    }
  });
});

it('what each machine writes, both read', () => {
  const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
  for (const text of [...choose(units, 10_000), ...randomTexts(seed, scale(20_000))]) {
    const bytes = mutf8.encode(text);
    if (hotspotNewStringUTF(bytes) !== text) expect.fail(showText(text));
    if (artNewStringUTF(bytes) !== text) expect.fail(showText(text));
    if (artNewStringUTF(android.encode(text)) !== text) expect.fail(showText(text));
  }
});

describe.each([hotspotNewStringUTF, artNewStringUTF])('%o', (make) => {
  const bytes = Uint8Array.of(0x7a, 0xc3, 0xa9, 0xc0, 0x80, 0x00, 0xff);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);

  it.each([
    ['a Uint8Array', bytes],
    ['a Buffer', Buffer.from(bytes)],
    ['an ArrayBuffer', bytes.buffer],
    ['a DataView', new DataView(bytes.buffer)],
    ['a view of shared memory', shared],
    ['shared memory', shared.buffer],
  ])('accepts %s', (_, argument) => {
    expect(make(argument)).toBe('zé\0');
  });

  it('reads a view, and not the memory around it', () => {
    expect(make(bytes.subarray(1, 3))).toBe('é');
    expect(make(new DataView(bytes.buffer, 1, 2))).toBe('é');
  });

  it('leaves the bytes as they are', () => {
    const copy = bytes.slice();
    make(copy);
    expect(copy).toEqual(bytes);
  });

  it.each([undefined, null, 'é', 7, [0x41], {}])('refuses %o', (argument) => {
    expect(() => make(argument as never)).toThrow(TypeError);
  });

  it('takes time linear in the number of faults', () => {
    // In quadratic time, this takes minutes.
    const malformed = new Uint8Array(300_000).fill(0xff);
    expect(make(malformed).length).toBeGreaterThan(0);
  });
});

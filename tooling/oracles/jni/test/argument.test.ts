/** What the functions of `@utf8/mutf8/jni` accept as an argument. */
import { artNewStringUTF, hotspotNewStringUTF } from '@utf8/mutf8/jni';
import { describe, expect, it } from 'vitest';

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

/** Views of arrays, which are worth making only for those that are read part by part. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { copy } from '../../src/fast/kernel.js';
import { copyWords, isAsciiByBytes, isAsciiByWords } from '../../src/fast/view.js';

let findView: typeof import('../../src/fast/view.js').findView;

beforeEach(async () => {
  vi.resetModules();
  ({ findView } = await import('../../src/fast/view.js'));
});

describe('the view of an array', () => {
  it('is made when a second part is read, and found from then on', () => {
    const bytes = new Uint8Array(new ArrayBuffer(32), 8, 16);
    expect(findView(bytes, 0, 4)).toBeUndefined();
    const view = findView(bytes, 4, 8) as DataView;
    expect([view.buffer, view.byteOffset, view.byteLength]).toEqual([bytes.buffer, 8, 16]);
    expect(findView(bytes, 0, 4)).toBe(view);
    const other = new Uint8Array(20);
    expect(findView(other, 0, 4)).toBeUndefined();
    expect(findView(other, 4, 8)?.buffer).toBe(other.buffer);
    expect(findView(bytes, 8, 12)).toBe(view);
  });

  it.each([0, 1, 2])('is not made for the first part of all, of %i bytes', (length) => {
    expect(findView(new Uint8Array(length), 0, length)).toBeUndefined();
  });

  it('is not made for an earlier part, nor for an array of another length', () => {
    expect(findView(new Uint8Array(16), 4, 8)).toBeUndefined();
    expect(findView(new Uint8Array(16), 3, 8)).toBeUndefined();
    expect(findView(new Uint8Array(17), 8, 9)).toBeUndefined();
    expect(findView(new Uint8Array(0), 0, 0)).toBeUndefined();
  });

  it('is not made of memory that may shrink or that other threads see', () => {
    const resizable: ArrayBuffer = Reflect.construct(ArrayBuffer, [16, { maxByteLength: 32 }]);
    for (const memory of [resizable, new SharedArrayBuffer(16)]) {
      const bytes = new Uint8Array(memory);
      expect(findView(bytes, 0, 4)).toBeUndefined();
      expect(findView(bytes, 4, 8)).toBeUndefined();
    }
  });

  it.each([0x10_0000, 0x10_0001])('of %i bytes is found again', (length) => {
    const bytes = new Uint8Array(length);
    findView(bytes, 0, 4);
    const view = findView(bytes, 4, 8);
    expect(view?.byteLength).toBe(length);
    expect(findView(bytes, 8, 12)).toBe(view);
  });

  it('keeps no large array alive, and a small one until the next', () => {
    const get = vi.spyOn(WeakMap.prototype, 'get');
    const isKept = (length: number): boolean => {
      const bytes = new Uint8Array(length);
      findView(bytes, 0, 4);
      findView(bytes, 4, 8);
      get.mockClear();
      findView(bytes, 8, 12);
      return get.mock.calls.length === 0;
    };
    expect([16, 0x10_0000, 0x10_0001].map(isKept)).toEqual([true, true, false]);
    get.mockRestore();
  });
});

describe('words', () => {
  const lengths = Array.from({ length: 30 }, (_, i) => 4 + i);

  it.each(lengths)('of %i bytes are ASCII if all bytes are', (length) => {
    const at = 3;
    const bytes = new Uint8Array(length + 2 * at).fill(0xff);
    const view = new DataView(bytes.buffer);
    for (const usual of [0x01, 0x61, 0x7f]) {
      bytes.fill(usual, at, at + length);
      for (let i = at; i < at + length; i++) {
        for (const byte of [0x00, 0x01, 0x7f, 0x80, 0xff]) {
          bytes[i] = byte;
          for (const first of [0, 1]) {
            const isAscii = byte >= first && byte <= 0x7f;
            expect(isAsciiByWords(view, at, at + length, first)).toBe(isAscii);
            expect(isAsciiByBytes(bytes, at, at + length, first)).toBe(isAscii);
          }
        }
        bytes[i] = usual;
      }
    }
  });

  it.each(lengths)('of %i bytes are copied as they are', (length) => {
    const bytes = Uint8Array.from({ length: length + 7 }, (_, i) => 0xf0 - i);
    const words = new Int32Array(10);
    const target = new Uint8Array(words.buffer);
    copyWords(new DataView(bytes.buffer), 5, 5 + length, words, target);
    expect([...target.subarray(0, length)]).toEqual([...bytes.subarray(5, 5 + length)]);
    expect([...target.subarray(length)]).toEqual(new Array(40 - length).fill(0));
  });
});

describe('copy', () => {
  it.each([
    [64, 0],
    [65, 1],
  ])('of %i bytes sets %i views', (length, views) => {
    const memory = new Uint8Array(100).map((_, i) => i);
    const source = memory.subarray(3);
    const target = new Uint8Array(100);
    const set = vi.spyOn(Uint8Array.prototype, 'set');
    copy(source, 2, 2 + length, target, 7);
    expect(set.mock.calls.length).toBe(views);
    set.mockRestore();
    expect([...target.subarray(7, 7 + length)]).toEqual([...memory.subarray(5, 5 + length)]);
    expect([target[6], target[7 + length]]).toEqual([0, 0]);
  });
});

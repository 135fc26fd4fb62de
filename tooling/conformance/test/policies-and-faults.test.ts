/** Policies that return no text, faults that a caller tries to change, and texts of any length. */
import {
  type Codec,
  type DecodeOptions,
  type ErrorPolicy,
  type Fault,
  formatCodePoint,
  transcode,
} from '@utf8/core';
import { describe, expect, it } from 'vitest';
import { decoding, encoding, errorOf, examining, limitPolicy, outcomeOf, take } from './calls.js';
import { findRefused, loadCodecs } from './entries.js';

/** FE begins nothing in any encoding, and C3 cut short is one fault in all. */
const FAULTY = Uint8Array.of(0x41, 0xfe, 0x42, 0xc3, 0x43, 0xfe, 0xfe, 0x44);

/** Each function that applies a policy to faults of bytes or of a text. */
function callsOf(codec: Codec): Readonly<Record<string, (errors?: ErrorPolicy) => unknown>> {
  const refused = findRefused(codec);
  const text = `a${refused}b${refused}${refused}c`;
  const reading = Object.entries(decoding).map(([name, call]) => [
    name,
    (errors?: ErrorPolicy) => call(codec, FAULTY, { errors }),
  ]);
  const writing = Object.entries(refused === undefined ? {} : encoding).map(([name, call]) => [
    name,
    (errors?: ErrorPolicy) => call(codec, text, { errors }),
  ]);
  return Object.fromEntries([...reading, ...writing]);
}

describe('policies and faults', async () => {
  const entries = (await loadCodecs()).map(({ entry, codec }) => [entry, codec] as const);

  describe.each(entries)('a policy that returns no string: %s', (_, codec) => {
    it.each(Object.entries(callsOf(codec)))('%s refuses it', (_, call) => {
      const values = [undefined, null, 5, Number.NaN, true, {}, ['a'], 1n, Symbol('s'), () => ''];
      for (const value of [...values, Object('text'), Promise.resolve('text')]) {
        const error = errorOf(() => call(() => value as string));
        expect(error?.name, String(value)).toBe('TypeError');
        expect(error?.message, String(value)).toMatch(/string/i);
        expect(error?.message, String(value)).toMatch(/policy|errors/i);
      }
    });

    it('leaves a Decoder that starts afresh', () => {
      const decoder = new codec.Decoder({ errors: () => undefined as never });
      expect(() => decoder.decode(FAULTY, { stream: true })).toThrow(TypeError);
      expect(decoder.decode(Uint8Array.of(0x42))).toBe('B');
    });
  });

  describe.each(entries)('a fault that a policy tries to change: %s', (_, codec) => {
    const tamper = (fault: Fault): void => {
      Reflect.set(fault, 'length', 0);
      Reflect.set(fault, 'offset', fault.offset + 5);
      Reflect.set(fault, 'reason', 'truncated');
      Reflect.set(fault, 'incomplete', true);
      Reflect.deleteProperty(fault, 'length');
      Reflect.defineProperty(fault, 'offset', { value: 0 });
    };

    it.each(Object.entries(callsOf(codec)))('%s is not affected', (_, call) => {
      const describeFault = ({ offset, length, reason }: Fault) =>
        `<${offset} ${length} ${reason}>`;
      const expected = outcomeOf(() => call(limitPolicy(describeFault)));
      const isFrozen: boolean[] = [];
      const changing = limitPolicy((fault, bytes) => {
        const text = describeFault(fault);
        isFrozen.push(Object.isFrozen(fault));
        tamper(fault);
        bytes.fill(0x5a);
        return text;
      });
      expect(outcomeOf(() => call(changing))).toEqual(expected);
      expect(isFrozen.length).toBeGreaterThan(0);
      expect(isFrozen).not.toContain(false);
    });

    it('faults() is not affected', () => {
      const expected = Array.from(codec.faults(FAULTY), (fault) => ({ ...fault }));
      expect(expected).toHaveLength(4);
      const found: Fault[] = [];
      for (const fault of codec.faults(FAULTY)) {
        found.push({ ...fault });
        tamper(fault);
        if (found.length > expected.length) break;
      }
      expect(found).toEqual(expected);
      expect(take(codec.faults(FAULTY)).every(Object.isFrozen)).toBe(true);
    });

    it('findFault returns a frozen fault', () => {
      const fault = codec.findFault(FAULTY) as Fault;
      expect(Object.isFrozen(fault)).toBe(true);
      tamper(fault);
      expect(codec.findFault(FAULTY)?.offset).toBe(1);
    });
  });

  const refusing = entries.flatMap(([entry, codec]) => {
    const refused = findRefused(codec);
    return refused === undefined ? [] : [[entry, codec, refused] as const];
  });
  describe.each(refusing)('the text of a policy may have any length: %s', (_, codec, refused) => {
    it('byteLength and encodeInto agree with encode', () => {
      for (const unit of ['x', 'é', '中']) {
        for (let length = 0; length <= 70; length++) {
          const errors = () => unit.repeat(length);
          for (const before of [0, 1, 2, 5, 17, 40, 70]) {
            for (const after of [0, 1, 33]) {
              const text = `${'a'.repeat(before)}${refused}${'é'.repeat(after)}`;
              const bytes = codec.encode(text, { errors });
              const what = `${length} of ${unit} after ${before} and before ${after}`;
              expect(
                outcomeOf(() => codec.byteLength(text, { errors })),
                what,
              ).toBe(bytes.length);
              const target = new Uint8Array(bytes.length);
              expect(codec.encodeInto(text, target, { errors }).written, what).toBe(bytes.length);
              if (Buffer.compare(bytes, target) !== 0) expect(target, what).toEqual(bytes);
            }
          }
        }
      }
    });

    it('at every position of a text, and many times', () => {
      for (const length of [0, 1, 25, 70, 4095, 4096, 4097, 10_000]) {
        const errors = () => 'x'.repeat(length);
        for (let at = 0; at <= 50; at++) {
          const text = `${'a'.repeat(at)}${refused}${'b'.repeat(50 - at)}`;
          expect(codec.byteLength(text, { errors })).toBe(50 + length);
        }
        for (const text of [refused.repeat(90), `a${refused}`.repeat(90)]) {
          expect(codec.byteLength(text, { errors })).toBe(codec.encode(text, { errors }).length);
        }
      }
      for (let at = 4080; at <= 4100; at++) {
        const text = `${'a'.repeat(at)}${refused}`;
        expect(codec.byteLength(text, { errors: () => 'x'.repeat(25) })).toBe(at + 25);
      }
    });
  });

  describe.each(entries)("errors: 'strict' is the same as no options: %s", (_, codec) => {
    it('in every function', () => {
      const clean = codec.encode('aé中z'.repeat(50));
      const explicit: DecodeOptions = { errors: 'strict' };
      for (const bytes of [clean, clean.subarray(0, 7), FAULTY, Buffer.from('a'.repeat(500))]) {
        for (const [name, call] of Object.entries(decoding)) {
          const expected = JSON.stringify(outcomeOf(() => call(codec, bytes)));
          expect(JSON.stringify(outcomeOf(() => call(codec, bytes, explicit))), name).toBe(
            expected,
          );
        }
      }
      const refused = findRefused(codec) ?? '';
      for (const text of ['', 'abc', 'aé中'.repeat(200), `ab${refused}c`, 'x'.repeat(5000)]) {
        for (const [name, call] of Object.entries(encoding)) {
          const expected = JSON.stringify(outcomeOf(() => call(codec, text)));
          expect(JSON.stringify(outcomeOf(() => call(codec, text, explicit))), name).toBe(expected);
        }
      }
    });
  });
});

describe('a character that the target cannot hold', async () => {
  const entries = await loadCodecs();
  const spell = (codec: Codec, codePoint: number): Uint8Array | undefined => {
    try {
      return codec.encodeCodePoints([codePoint]);
    } catch {
      return undefined;
    }
  };

  describe.each(entries.map(({ entry, codec }) => [entry, codec] as const))(
    'from %s',
    (_, from) => {
      it('is described by the target and the code point, and not as malformed', () => {
        for (const codePoint of [0xd800, 0xdfff, 0x1f600, 0x110000, 0x7fffffff]) {
          const bytes = spell(from, codePoint);
          // encodeCodePoints may refuse an unpaired surrogate that another codec accepts.
          if (!bytes || !from.isValid(bytes)) continue;
          for (const { entry, codec: to } of entries) {
            if (spell(to, codePoint)) continue;
            const input = Uint8Array.of(0x61, 0x62, ...bytes, 0x63);
            const error = errorOf(() => transcode(input, from, to)) as Error & Fault;
            const what = `${formatCodePoint(codePoint)} to ${entry}: ${error?.message}`;
            expect(error, what).toMatchObject({
              code: 'ERR_UTF8_DECODE',
              offset: 2,
              length: bytes.length,
              incomplete: false,
            });
            if (codePoint < 0xe000) expect(error.reason, what).toBe('surrogate');
            if (codePoint > 0x10ffff) expect(error.reason, what).toBe('unrepresentable');
            expect(error.message, what).not.toMatch(/malformed/i);
            expect(error.message, what).toContain(to.name);
            expect(error.message, what).toContain(formatCodePoint(codePoint));
          }
        }
      });
    },
  );

  it('is called malformed where the source is', () => {
    for (const { codec } of entries) {
      for (const call of [decoding.decode, decoding['transcode to UTF-8']]) {
        const error = errorOf(() => call?.(codec, FAULTY));
        expect(error?.message).toMatch(/malformed/i);
        expect(error?.message).toContain(codec.name);
      }
      expect(outcomeOf(() => examining.isValid?.(codec, FAULTY))).toBe(false);
    }
  });
});

/** Results own their memory, and no function writes to its input. */
import { Transcoder, transcode } from '@utf8/core';
import * as strict from '@utf8/strict';
import { describe, expect, it } from 'vitest';
import { decoding, encoding, examining, outcomeOf } from './calls.js';
import { findRefused, loadCodecs } from './entries.js';

describe('memory', async () => {
  const entries = await loadCodecs();

  describe.each(entries.map(({ entry, codec }) => [entry, codec] as const))('%s', (_, codec) => {
    const refused = findRefused(codec) ?? '';

    it('each result owns all of its memory', () => {
      const seen = new Set<ArrayBufferLike>();
      const check = (result: Uint8Array | Uint32Array, what: string): void => {
        expect(result.byteOffset, what).toBe(0);
        expect(result.buffer.byteLength, what).toBe(result.byteLength);
        expect(seen.has(result.buffer), what).toBe(false);
        seen.add(result.buffer);
      };
      const replace = { errors: 'replace' } as const;
      for (const unit of ['a', 'é', '中', `a${refused}`]) {
        for (const length of [0, 1, 3, 40, 700, 5000, 40_000]) {
          const text = unit.repeat(length);
          const what = `${length} times ${unit}`;
          const bytes = codec.encode(text, replace);
          check(bytes, `encode: ${what}`);
          if (unit.length === 1) {
            check(codec.encode(text), `encode without options: ${what}`);
            check(codec.encode(text, { errors: 'strict' }), `encode under strict: ${what}`);
          }
          const named = { errors: () => 'x' };
          check(codec.encode(text, named), `encode with a function: ${what}`);
          check(new codec.Encoder(replace).encode(text), `Encoder: ${what}`);
          check(new codec.TextEncoder().encode(text), `TextEncoder: ${what}`);
          check(codec.encodeCodePoints(codec.decodeCodePoints(bytes)), `encodeCodePoints: ${what}`);
          check(codec.decodeCodePoints(bytes), `decodeCodePoints: ${what}`);
          for (const to of [codec, strict]) {
            check(transcode(bytes, codec, to), `transcode: ${what}`);
            check(transcode(bytes, codec, to, replace), `transcode under replace: ${what}`);
            const transcoder = new Transcoder(codec, to, named);
            check(transcoder.push(bytes), `Transcoder: ${what}`);
            check(transcoder.flush(), `Transcoder at the end: ${what}`);
          }
        }
      }
    });

    it('the input is not written to', () => {
      for (const repeat of [1, 20, 900]) {
        const block = Uint8Array.of(0x61, 0xc3, 0xa9, 0xe4, 0xb8, 0xad, 0xfe, 0xc3, 0x62, 0);
        const memory = new Uint8Array(block.length * (repeat + 4)).fill(0x55);
        const input = memory.subarray(20, 20 + block.length * repeat);
        for (let i = 0; i < repeat; i++) input.set(block, i * block.length);
        const before = memory.slice();
        const policies = ['strict', 'replace', 'surrogateescape', () => '中'] as const;
        for (const [name, call] of Object.entries({ ...decoding, ...examining })) {
          for (const errors of policies) {
            outcomeOf(() => call(codec, input, { errors }));
            if (Buffer.compare(memory, before) !== 0) expect(memory, name).toEqual(before);
          }
        }
        outcomeOf(() => codec.truncate(input, 7));
        expect(Buffer.compare(memory, before)).toBe(0);
      }
    });

    it('nothing is written to a target after the last byte', () => {
      const text = `aé中${refused}`.repeat(400);
      for (const errors of ['replace', () => 'xyz'] as const) {
        for (const size of [0, 1, 2, 7, 50, 900, 1024]) {
          const memory = new Uint8Array(size + 2000).fill(0xaa);
          const target = memory.subarray(1000, 1000 + size);
          const { written } = codec.encodeInto(text, target, { errors });
          const untouched = [...memory.subarray(0, 1000), ...memory.subarray(1000 + written)];
          expect(untouched.every((byte) => byte === 0xaa)).toBe(true);
        }
      }
    });

    it('results of text functions are plain values', () => {
      for (const [name, call] of Object.entries(encoding)) {
        const first = JSON.stringify(outcomeOf(() => call(codec, 'aé中')));
        outcomeOf(() => call(codec, 'z'.repeat(3000)));
        expect(JSON.stringify(outcomeOf(() => call(codec, 'aé中'))), name).toBe(first);
      }
    });
  });
});

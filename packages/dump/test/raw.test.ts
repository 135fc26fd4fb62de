import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import * as mixed from '@utf8/cesu8/mixed';
import { type Codec, transcode } from '@utf8/core';
import { codecFor } from '@utf8/detect';
import * as strict from '@utf8/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale, seed } from '../../../tooling/tiers/tier.js';
import { type Checked, createCheck } from '../src/check/checker.js';
import { addPosition, FIRST } from '../src/cut/position.js';
import type { Segment } from '../src/cut/segment.js';
import { segments } from '../src/cut/segments.js';
import { createRawFormat } from '../src/format/raw.js';
import type { Source } from '../src/open/source.js';
import { findReason } from '../src/rewrite/transcriber.js';
import { countCharacters } from '../src/sequence.js';

fc.configureGlobal({ seed });

/** Creates a source of bytes in memory, read in pieces of the given sizes. */
function createSource(bytes: Uint8Array, pieces: readonly number[]): Source {
  let reads = 0;
  return {
    name: 'memory',
    size: bytes.length,
    async read(into, position) {
      const piece = pieces.length > 0 ? (pieces[reads++ % pieces.length] as number) : into.length;
      const taken = bytes.subarray(position, position + Math.min(piece, into.length));
      into.set(taken);
      return taken.length;
    },
    async verify() {},
    async close() {},
  } as Source;
}

/** Bytes that matter in this family: line feeds, leads, trails, surrogates, and bytes of no such kind. */
const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(0x0a, 0x41, 0x80, 0x9f, 0xa0, 0xbf, 0xc0, 0xc3, 0xe0, 0xed, 0xf0, 0xf4, 0xff),
      fc.constantFrom(
        [0xed, 0xa0, 0xbd],
        [0xed, 0xb8, 0x80],
        [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
        [0xf0, 0x9f, 0x98, 0x80],
        [0xed, 0x95, 0x9c],
      ),
    ),
    { maxLength: 120 },
  )
  .map((parts) => Uint8Array.from(parts.flat()));

const pieces = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 5 });
const sizes = fc.integer({ min: 32, max: 64 });

const codecs: [string, Codec][] = [
  ['utf-8', strict],
  ['cesu-8', cesu8],
  ['cesu-8-lenient', lenient],
  ['cesu-8+utf-8', mixed],
  ['wtf-8', codecFor('wtf-8')],
  ['mutf-8-android', codecFor('mutf-8-android')],
  ['utf8mb3', codecFor('utf8mb3')],
];

describe.each(codecs)('segments of %s', (label, codec) => {
  const format = createRawFormat(codec);

  it('have every fault of the whole, with its reason', async () => {
    await fc.assert(
      fc.asyncProperty(soup, pieces, sizes, async (bytes, pieces, size) => {
        const found: unknown[] = [];
        for await (const segment of segments(createSource(bytes, pieces), format, { size })) {
          for (const fault of codec.faults(segment.bytes)) {
            const reason = findReason(codec, segment, fault);
            found.push([segment.offset + fault.offset, fault.length, reason]);
          }
        }
        const wanted = Array.from(codec.faults(bytes), ({ offset, length, reason }) => [
          ...[offset, length, reason],
        ]);
        expect(found).toEqual(wanted);
      }),
      { numRuns: scale(500) },
    );
  });

  it('have every malformed character of the whole, at the same line and column', async () => {
    const check = createCheck({
      task: 'check',
      as: label,
      tracks: true,
      most: Number.POSITIVE_INFINITY,
    });
    const read = (segment: Segment): Checked => check(segment) as Checked;
    await fc.assert(
      fc.asyncProperty(soup, pieces, sizes, async (bytes, pieces, size) => {
        const found: unknown[] = [];
        let base = FIRST;
        for await (const segment of segments(createSource(bytes, pieces), format, { size })) {
          const { findings, moved = FIRST } = read(segment);
          found.push(...findings.map((each) => ({ ...each, ...addPosition(base, each) })));
          base = addPosition(base, moved);
        }
        const whole = { bytes, ahead: new Uint8Array(), offset: 0 } as Segment;
        expect(found).toEqual(read(whole).findings);
        for (const { offset, line, column } of read(whole).findings) {
          const before = bytes.subarray(0, offset);
          const lineStart = before.lastIndexOf(0x0a) + 1;
          expect([line, column]).toEqual([
            before.filter((byte) => byte === 0x0a).length + 1,
            countCharacters(before.subarray(lineStart), codec) + 1,
          ]);
        }
      }),
      { numRuns: scale(500) },
    );
  });

  it.each(codecs)('convert to %s as the whole does', async (_, to) => {
    await fc.assert(
      fc.asyncProperty(soup, pieces, sizes, async (bytes, pieces, size) => {
        const parts: Uint8Array[] = [];
        for await (const segment of segments(createSource(bytes, pieces), format, { size })) {
          parts.push(transcode(segment.bytes, codec, to, { errors: 'backslashreplace' }));
        }
        const whole = transcode(bytes, codec, to, { errors: 'backslashreplace' });
        expect(Buffer.concat(parts).toString('hex')).toBe(Buffer.from(whole).toString('hex'));
      }),
      { numRuns: scale(200) },
    );
  });

  it('of ranges are the segments of the whole, wherever it is cut', async () => {
    const cuts = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(soup, cuts, pieces, sizes, async (bytes, cuts, pieces, size) => {
        const ends = [0, ...cuts.sort((a, b) => a - b), Number.POSITIVE_INFINITY];
        const found: unknown[] = [];
        const parts: Uint8Array[] = [];
        for (const [i, end] of ends.slice(1).entries()) {
          const source = createSource(bytes, pieces);
          const from = (await format.findBoundary?.(source, ends[i] as number)) ?? 0;
          const to = (await format.findBoundary?.(source, end)) ?? 0;
          for await (const segment of segments(source, format, { from, to, size })) {
            for (const fault of codec.faults(segment.bytes)) {
              found.push([segment.offset + fault.offset, findReason(codec, segment, fault)]);
            }
            parts.push(segment.bytes.slice());
          }
        }
        const wanted = Array.from(codec.faults(bytes), ({ offset, reason }) => [offset, reason]);
        expect(found).toEqual(wanted);
        expect(Buffer.concat(parts)).toEqual(Buffer.from(bytes));
      }),
      {
        numRuns: scale(500),
        // The bytes after the end of a range are read later.
        examples: [[Uint8Array.of(0xf0, 0x9f, 0x98, 0x80, 0xed, 0xa0, 0xbd), [5], [1], 32]],
      },
    );
  });
});

describe('segments of plain text', () => {
  const format = createRawFormat(strict);

  it('take a whole line at once', async () => {
    const source = createSource(Buffer.from('ab\ncdefghijklmnopqrstuvwxyz'), [3]);
    const iterator = segments(source, format);
    const { value } = await iterator.next();
    expect(Buffer.from(value?.bytes ?? []).toString()).toBe('ab\n');
    await iterator.return();
  });

  it('pass on the error of a source', async () => {
    const source = {
      ...createSource(new Uint8Array(9), []),
      read: () => Promise.reject(new Error('broken')),
    };
    await expect(segments(source, format).next()).rejects.toThrow('broken');
  });
});

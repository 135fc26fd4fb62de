/** Arrays of another realm: no instances of what this realm calls `Uint8Array`, and bytes all the same. */

import type { Codec } from '@utf8/core';
import { describe, expect, it } from 'vitest';
import { foreign } from '#platform';
import type { Foreign } from '../inside/host.js';
import { type Entries, fitText, listCodecs } from './entries.js';

const SHORT = 'aé한😀';
const LONG = `${'Grüße, 한글 '.repeat(100)}${SHORT}`;

/** Registers the checks, if there is another realm. */
export function testForeign(entries: Entries): void {
  const realm: Foreign = foreign ?? globalThis;

  describe.skipIf(!foreign).each(listCodecs(entries))(
    '%s, given an array of another realm',
    (_, codec) => {
      describe.each([
        ['short', SHORT],
        ['long', LONG],
      ])('that is %s', (_, all) => {
        const text = fitText(all, codec);
        const source = codec.encode(text);
        const bytes = new realm.Uint8Array(new realm.ArrayBuffer(source.length));
        bytes.set(source);
        const last = source.length - codec.encode(Array.from(text).at(-1) as string).length;

        it('reads it', () => {
          for (const input of [bytes, bytes.buffer, new realm.DataView(bytes.buffer)]) {
            expect(codec.decode(input)).toBe(text);
            expect(codec.isValid(input)).toBe(true);
            expect(codec.findFault(input)).toBeUndefined();
            expect(new codec.Decoder().decode(input)).toBe(text);
          }
        });

        it('finds a fault in it', () => {
          const broken = realm.Uint8Array.from(bytes);
          broken[last] = 0xff;
          expect(codec.isValid(broken)).toBe(false);
          expect(codec.findFault(broken)?.offset).toBe(last);
          expect(codec.decode(broken, { errors: 'replace' })).toContain('\ufffd');
        });

        it('writes into it', () => {
          const target = new realm.Uint8Array(new realm.ArrayBuffer(bytes.length + 1));
          const expected = { read: text.length, written: bytes.length };
          expect(codec.encodeInto(text, target)).toEqual(expected);
          expect(Array.from(target)).toEqual([...source, 0]);
        });

        it('writes as much as fits', () => {
          const target = new realm.Uint8Array(bytes.length - 1);
          expect(codec.encodeInto(text, target)).toEqual(expectedRoom(codec, text, target.length));
        });

        it('shortens it to a view of it', () => {
          const view = codec.truncate(bytes, bytes.length - 1);
          expect(view.buffer).toBe(bytes.buffer);
          expect(Array.from(view)).toEqual(Array.from(source.subarray(0, last)));
        });
      });
    },
  );
}

/** Returns the result of `encodeInto` for the same room in this realm. */
function expectedRoom(codec: Codec, text: string, room: number): unknown {
  return codec.encodeInto(text, new Uint8Array(room));
}

/**
 * Behaviour of Hadoop's UTF8 that no option of ours reproduces.
 *
 * @module-tag night
 */
import * as lenient from '@utf8/cesu8/lenient';
import { encodeUTF, readUTF } from '@utf8/mutf8/framing';
import { describe, expect, it } from 'vitest';
import { askRead, askWrite } from '../src/ask.js';
import { consumers } from '../src/consumers.js';
import { useJava } from '../src/start.js';

const row = consumers.find(({ name }) => name === 'Hadoop UTF8') as (typeof consumers)[0];
const peer = await useJava(row.program);

describe('Hadoop UTF8', () => {
  it('cuts a text after 21,845 code units, even where it would fit, and even within a pair', async () => {
    for (const [text, kept] of [
      ['a'.repeat(21_846), 'a'.repeat(21_845)],
      ['中'.repeat(30_000), '中'.repeat(21_845)],
      ['😀'.repeat(11_000), `${'😀'.repeat(10_922)}\ud83d`],
    ] as const) {
      const frame = (await askWrite(peer, 'utf8', text)) as Buffer;
      expect(readUTF(frame, 0, { codec: lenient })).toEqual({ text: kept, next: frame.length });
    }
  });

  it('reads what we write up to 65,535 bytes', async () => {
    for (const text of ['a'.repeat(65_535), '中'.repeat(21_845), '\0'.repeat(65_535)]) {
      expect((await askRead(peer, 'utf8', encodeUTF(text, { codec: lenient }))) === text).toBe(
        true,
      );
    }
  });

  it('reads four-byte forms too', async () => {
    const frame = Uint8Array.of(0, 4, 0xf0, 0x9f, 0x98, 0x80);
    expect(await askRead(peer, 'utf8', frame)).toBe('😀');
    expect(() => readUTF(frame, 0, { codec: lenient })).toThrow(/wrong-form/);
  });
});

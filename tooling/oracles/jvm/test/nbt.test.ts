/**
 * Compares strings of Minecraft's Bedrock edition in prismarine-nbt with those of Cloudburst, and lists the losses of
 * each.
 *
 * @module-tag night
 */
import { encodeUTF, readUTF, type UTFOptions } from '@utf8/mutf8/framing';
import * as strict from '@utf8/strict';
import nbt from 'prismarine-nbt';
import { describe, expect, it } from 'vitest';
import { askRead, askWrite } from '../src/ask.js';
import { consumers } from '../src/consumers.js';
import { useJava } from '../src/start.js';
import { edges, textsOfLength } from '../src/texts.js';

const rows = consumers.filter(({ name }) => name.startsWith('NBT, Bedrock'));
const peer = await useJava((rows[0] as (typeof rows)[0]).program);

/** A compound without a name, in which a string has none. */
const content = (text: string) =>
  ({ type: 'compound', name: '', value: { '': { type: 'string', value: text } } }) as const;

describe.each([
  { format: 'little', header: 6, options: { endian: 'le' } as UTFOptions },
  { format: 'littleVarint', header: 4, options: { length: 'uleb128' } as UTFOptions },
] as const)('prismarine-nbt, $format', ({ format, header, options: form }) => {
  const options: UTFOptions = { ...form, codec: strict };
  const empty = format === 'little' ? [10, 0, 0, 8, 0, 0] : [10, 0, 8, 0];

  it('writes and reads what we do, where a text is well-formed', () => {
    for (const text of [...edges, ...textsOfLength(127), ...textsOfLength(128)]) {
      if (!text.isWellFormed()) continue;
      const file = nbt.writeUncompressed(content(text) as never, format);
      const frame = encodeUTF(text, options);
      expect(file).toEqual(Buffer.from([...empty, ...frame, 0]));
      expect(readUTF(file, header, options)).toEqual({ text, next: file.length - 1 });
      expect(nbt.parseUncompressed(file, format).value).toEqual(content(text).value);
    }
  });

  it('reads faults as U+FFFD, as we do on request', () => {
    const frame = encodeUTF('a?\0b', options);
    frame[frame.length - 3] = 0xff;
    const { value } = nbt.parseUncompressed(Buffer.from([...empty, ...frame, 0]), format);
    expect(value['']?.value).toBe('a\ufffd\0b');
    expect(readUTF(frame, 0, { ...options, errors: 'replace' }).text).toBe('a\ufffd\0b');
    expect(() => readUTF(frame, 0, options)).toThrow('invalid-lead');
  });

  it('writes U+FFFD for a lone surrogate, where Cloudburst writes a question mark', () => {
    const file = nbt.writeUncompressed(content('a\ud83d') as never, format);
    const frame = encodeUTF('a\ud83d', { ...options, errors: 'replace' });
    expect(file.subarray(header, -1)).toEqual(Buffer.from(frame));
    expect(() => encodeUTF('a\ud83d', options)).toThrow('UTF-8');
  });
});

describe('Cloudburst', () => {
  it('writes a length that is too short for more than 65,535 bytes, which we refuse', async () => {
    const text = 'a'.repeat(65_537);
    const file = (await askWrite(peer, 'file', text)) as Buffer;
    expect(file.readUInt16LE(0)).toBe(1);
    expect(file).toHaveLength(2 + 65_537);
    expect(await askRead(peer, 'file', file)).toBe('a');
    expect(() => encodeUTF(text, { codec: strict, endian: 'le' })).toThrow(/65537 bytes of UTF-8/);
  });
});

/** Every module of every codec loads, and every codec among them works, with each backend. */
import { type Codec, transcode } from '@utf8/core';
import { encodeByRows } from '@utf8/core/internal';
import { describe, expect, it } from 'vitest';

/** Modules by their specifier. */
export type Entries = Readonly<Record<string, object>>;

/** Lists the codecs among modules. */
export function listCodecs(entries: Entries): [specifier: string, codec: Codec][] {
  return Object.entries(entries).filter(
    (entry): entry is [string, Codec] => 'grammar' in entry[1] && 'DecoderStream' in entry[1],
  );
}

/** Long ones reach the kernels, and the platform's own coders. */
const TEXTS: Readonly<Record<string, string>> = {
  nothing: '',
  ASCII: 'The quick brown fox. '.repeat(100),
  'a short text with emoji': 'aé한😀',
  'a long text with emoji': 'Grüße, 한글 中文 𠮷 👩‍👩‍👧\u0000\uffff\u{10ffff} '.repeat(100),
};

/** Runs checks with results that no codec computes. */
export function testEntries(entries: Entries): void {
  it('loads every module', () => {
    for (const [specifier, module] of Object.entries(entries)) {
      expect(Object.keys(module), specifier).not.toEqual([]);
    }
  });

  const codecs = listCodecs(entries);
  it('finds codecs', () => expect(codecs.length).toBeGreaterThan(8));

  describe.each(codecs)('%s', (_, codec) => {
    it.each(Object.entries(TEXTS))('codes %s', (_, all) => {
      const text = fitText(all, codec);
      const bytes = codec.encode(text);
      expect(bytes).toBeInstanceOf(Uint8Array);
      expect(Array.from(bytes)).toEqual(encodeText(codec, text));
      expect(codec.byteLength(text)).toBe(bytes.length);
      expect(codec.isValid(bytes)).toBe(true);
      expect(codec.decode(bytes)).toBe(text);
      const target = new Uint8Array(bytes.length);
      expect(codec.encodeInto(text, target)).toEqual({ read: text.length, written: bytes.length });
      expect(Array.from(target)).toEqual(Array.from(bytes));
    });

    it.each(Object.entries(TEXTS))('streams %s', async (_, all) => {
      const text = fitText(all, codec);
      const bytes = encodeText(codec, text);
      const decoder = new codec.Decoder();
      const decoded = bytes.map((byte) => decoder.decode(Uint8Array.of(byte), { stream: true }));
      expect(decoded.join('') + decoder.decode()).toBe(text);
      expect(new codec.TextDecoder().decode(Uint8Array.from(bytes))).toBe(text);
      expect(Array.from(new codec.TextEncoder().encode(text))).toEqual(bytes);
      const encoder = new codec.Encoder();
      const units = text.split('').map((unit) => encoder.encode(unit, { stream: true }));
      expect([...units, encoder.encode()].flatMap((part) => Array.from(part))).toEqual(bytes);
      const texts = await pipe(new codec.DecoderStream(), Uint8Array.from(bytes));
      expect(texts.join('')).toBe(text);
      const parts = await pipe(new codec.EncoderStream(), text);
      expect(parts.flatMap((part) => Array.from(part))).toEqual(bytes);
    });

    it.each(Object.entries(TEXTS))('transcodes %s', (_, all) => {
      for (const [, other] of codecs) {
        const text = fitText(all, codec, other);
        const bytes = transcode(Uint8Array.from(encodeText(codec, text)), codec, other);
        expect(Array.from(bytes)).toEqual(encodeText(other, text));
      }
    });

    it.each([
      ['at the start', ''],
      ['after a long text', TEXTS['a long text with emoji'] as string],
    ])('finds a fault %s', (_, all) => {
      const before = fitText(all, codec);
      // No encoding of the family has FF.
      const start = encodeText(codec, before);
      const bytes = Uint8Array.from([...start, 0x61, 0xff, 0x62]);
      const offset = start.length + 1;
      expect(codec.isValid(bytes)).toBe(false);
      expect(codec.findFault(bytes)).toMatchObject({ offset, length: 1 });
      expect(codec.decode(bytes, { errors: 'replace' })).toBe(`${before}a\ufffdb`);
      expect(catchError(() => codec.decode(bytes))).toMatchObject({ name: 'DecodeError', offset });
    });

    it.each([
      ['an emoji', '😀'],
      ['a lone high surrogate', '\ud83d'],
      ['a lone low surrogate', '\ude00'],
    ])('encodes or refuses %s', (_, character) => {
      const text = `a${character}b`;
      const expected = encodeCharacter(codec, character);
      if (expected) {
        const bytes = codec.encode(text);
        expect(Array.from(bytes)).toEqual([0x61, ...expected, 0x62]);
        expect(codec.decode(bytes)).toBe(text);
      } else {
        expect(catchError(() => codec.encode(text))).toMatchObject({ name: 'EncodeError' });
        const bytes = codec.encode(text, { errors: 'replace' });
        expect(Array.from(bytes)).toEqual(encodeText(codec, 'a\ufffdb'));
      }
    });
  });
}

/**
 * Cached encodings of each codec's characters: texts repeat them, and row arithmetic is slow in a context of
 * `node:vm`.
 */
const known = new Map<Codec, Map<string, readonly number[] | undefined>>();

/** Encodes a character by the arithmetic of the rows alone; undefined where the encoding has none. */
function encodeCharacter(codec: Codec, character: string): readonly number[] | undefined {
  const characters = known.get(codec) ?? new Map<string, readonly number[] | undefined>();
  known.set(codec, characters);
  if (!characters.has(character)) characters.set(character, encodeOnce(codec, character));
  return characters.get(character);
}

function encodeOnce({ grammar }: Codec, character: string): readonly number[] | undefined {
  // Numbers of 31 bits may be surrogates, and text may not.
  if (grammar.domain === '31 bits' && /^\p{Cs}$/u.test(character)) return undefined;
  const bytes = encodeByRows(grammar, character.codePointAt(0) as number);
  if (bytes || character.length === 1) return bytes;
  const units = character.split('').map((unit) => encodeByRows(grammar, unit.charCodeAt(0)));
  return units.includes(undefined) ? undefined : (units.flat() as number[]);
}

const encodeText = (codec: Codec, text: string): number[] =>
  Array.from(text).flatMap((character) => encodeCharacter(codec, character) as number[]);

/** Leaves out the characters that one of the encodings does not have. */
export function fitText(text: string, ...codecs: readonly Codec[]): string {
  const fits = (character: string): boolean =>
    codecs.every((codec) => encodeCharacter(codec, character));
  return Array.from(text).filter(fits).join('');
}

async function pipe<In, Out>(
  { readable, writable }: { readable: ReadableStream<Out>; writable: WritableStream<In> },
  input: In,
): Promise<Out[]> {
  const writer = writable.getWriter();
  const written = writer.write(input).then(() => writer.close());
  const parts: Out[] = [];
  const reader = readable.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value);
  }
  await written;
  return parts;
}

function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

/** Decoder, Encoder and their streams take a label first, as TextDecoder does. */
import type { Codec } from '@utf8/core';
import { aliases, codecFor, labels } from '@utf8/detect';
import { describe, expect, it } from 'vitest';
import { type Entry, findRefused, loadAllCodecs } from './entries.js';

/** Section 6 of the design, by what a user imports. The name of the codec is a label everywhere. */
const documented: Readonly<Record<string, readonly string[]>> = {
  '@utf8/strict': ['utf-8', 'csUTF8', 'utf8mb4'],
  '@utf8/strict/mb3': ['utf8mb3'],
  '@utf8/cesu8': ['cesu-8', 'csCESU-8', 'cesu8'],
  '@utf8/cesu8/lenient': ['cesu-8-lenient'],
  '@utf8/cesu8/mixed': ['cesu-8+utf-8'],
  '@utf8/mutf8': ['mutf-8', 'modified-utf-8', 'mutf8'],
  '@utf8/mutf8/data-input': ['mutf-8-lenient'],
  '@utf8/rfc2279': ['rfc2279'],
  '@utf8/wtf8': ['wtf-8', 'wtf8'],
};

/** The labels of a codec: the documented ones, and those by which `codecFor` finds it. */
function labelsOf({ entry, codec }: Entry): readonly string[] {
  const resolved = labels.filter((label) => codecFor(label).name === codec.name);
  const found = resolved.flatMap((label) => [label, ...aliases[label]]);
  return [codec.name, ...(documented[entry.replace(/\/lite$/, '')] ?? []), ...found];
}

const inCases = (label: string): string[] => [label, label.toLowerCase(), label.toUpperCase()];

type Constructor = new (label?: unknown, options?: unknown) => unknown;
const coders: Readonly<Record<string, (codec: Codec) => Constructor>> = {
  Decoder: (codec) => codec.Decoder as Constructor,
  Encoder: (codec) => codec.Encoder as Constructor,
  DecoderStream: (codec) => codec.DecoderStream as Constructor,
  EncoderStream: (codec) => codec.EncoderStream as Constructor,
};

describe('a label as the first argument', async () => {
  const entries = await loadAllCodecs();
  const everyLabel = new Set(entries.flatMap(labelsOf).map((label) => label.toLowerCase()));

  describe.each(entries.map((entry) => [entry.entry, entry] as const))('%s', (_, entry) => {
    const { codec } = entry;
    const own = new Set(labelsOf(entry).flatMap(inCases));
    const lowered = new Set(Array.from(own, (label) => label.toLowerCase()));
    const others = [...everyLabel].filter((label) => !lowered.has(label));

    describe.each(Object.entries(coders))('%s', (_, find) => {
      const Coder = find(codec);

      it('accepts its own labels in any case', () => {
        for (const label of own) {
          expect(new Coder(label), label).toMatchObject({ encoding: codec.name });
          expect(new Coder(label, {}), label).toMatchObject({ encoding: codec.name });
        }
      });

      it('refuses the labels of other codecs, and what is no label', () => {
        for (const label of [...others, 'latin1', 'utf-16le', 'replace', 'strict', '']) {
          expect(() => new Coder(label), label).toThrow(RangeError);
          expect(() => new Coder(label, { errors: 'replace' }), label).toThrow(RangeError);
        }
      });

      it('names the refused label and the encoding', () => {
        expect(() => new Coder('latin1')).toThrow('latin1');
        expect(() => new Coder('latin1')).toThrow(codec.name);
      });

      it('applies the options after the label', () => {
        for (const errors of ['lax', 5, null]) {
          expect(() => new Coder(codec.name, { errors })).toThrow(TypeError);
        }
        for (const options of ['replace', 5, true, null]) {
          expect(() => new Coder(codec.name, options)).toThrow(TypeError);
        }
      });
    });

    it('Decoder is fatal where the options after the label say so', () => {
      const Decoder = codec.Decoder as unknown as new (
        label: string | undefined,
        options?: object,
      ) => InstanceType<Codec['Decoder']>;
      for (const label of [...own, undefined]) {
        const fatal = new Decoder(label, { fatal: true, ignoreBOM: true });
        expect(fatal, label).toMatchObject({ fatal: true, ignoreBOM: true });
        expect(() => fatal.decode(Uint8Array.of(0x41, 0xff)), label).toThrow(
          expect.objectContaining({ code: 'ERR_UTF8_DECODE', offset: 1 }),
        );
        expect(new Decoder(label)).toMatchObject({ fatal: false, ignoreBOM: false });
        expect(new Decoder(label).decode(Uint8Array.of(0x41, 0xff))).toBe('A\ufffd');
        const ignoring = new Decoder(label, { errors: 'ignore', fatal: true });
        expect(ignoring.decode(Uint8Array.of(0x41, 0xff))).toBe('A');
      }
    });

    it('DecoderStream and Encoder apply the options after the label', () => {
      const DecoderStream = coders.DecoderStream?.(codec) as Constructor;
      const options = { fatal: true, ignoreBOM: true };
      expect(new DecoderStream(codec.name, options)).toMatchObject(options);
      expect(new DecoderStream(undefined, options)).toMatchObject(options);
      const refused = findRefused(codec);
      if (refused === undefined) return;
      const Encoder = codec.Encoder as unknown as new (
        label: string,
        options: object,
      ) => InstanceType<Codec['Encoder']>;
      const strict = new Encoder(codec.name, { errors: 'strict' });
      expect(() => strict.encode(`a${refused}`)).toThrow(
        expect.objectContaining({ code: 'ERR_UTF8_ENCODE', offset: 1 }),
      );
    });
  });
});

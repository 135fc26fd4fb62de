/** TextDecoder, TextEncoder and their streams, which are the platform's in all that its users and suites look at. */
import type { Codec } from '@utf8/core';
import { aliases, codecFor, labels } from '@utf8/detect';
import * as strict from '@utf8/strict';
import { describe, expect, it } from 'vitest';
import { errorOf } from './calls.js';
import { type Entry, findRefused, loadAllCodecs } from './entries.js';

/** Documented labels, by import. The name of the codec is a label everywhere. */
const documented: Readonly<Record<string, readonly string[]>> = {
  '@utf8/strict': [
    ...['utf-8', 'csUTF8', 'utf8mb4'],
    // The labels of UTF-8 in the Encoding standard.
    ...['utf8', 'unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'x-unicode20utf8'],
  ],
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
const decoders: Readonly<Record<string, (codec: Codec) => Constructor>> = {
  TextDecoder: (codec) => codec.TextDecoder as Constructor,
  TextDecoderStream: (codec) => codec.TextDecoderStream as Constructor,
};

describe('labels', async () => {
  const entries = await loadAllCodecs();
  const everyLabel = new Set(entries.flatMap(labelsOf).map((label) => label.toLowerCase()));

  describe.each(entries.map((entry) => [entry.entry, entry] as const))('%s', (_, entry) => {
    const { codec } = entry;
    const encoding = codec.name.toLowerCase();
    const own = new Set(labelsOf(entry).flatMap(inCases));
    const lowered = new Set(Array.from(own, (label) => label.toLowerCase()));
    const others = [...everyLabel].filter((label) => !lowered.has(label));

    describe.each(Object.entries(decoders))('%s', (_, find) => {
      const Decoder = find(codec);

      it('accepts its own labels in any case, in ASCII white space', () => {
        for (const label of [...own, undefined]) {
          expect(new Decoder(label), label).toMatchObject({ encoding });
          expect(new Decoder(label, {}), label).toMatchObject({ encoding });
        }
        for (const label of own) {
          expect(new Decoder(`\t\n\f\r ${label} \r\f\n\t`), label).toMatchObject({ encoding });
        }
      });

      it('refuses the labels of other codecs, and those in other white space', () => {
        const spaces = ['\v', '\u00a0', '\u2028', '\0', 'x'];
        const around = spaces.flatMap((space) => [`${space}${encoding}`, `${encoding}${space}`]);
        const twice = `${encoding} ${encoding}`;
        for (const label of [...others, ...around, twice, 'latin1', 'replace', '', null, 5, {}]) {
          expect(() => new Decoder(label), String(label)).toThrow(RangeError);
          expect(() => new Decoder(label, { fatal: true }), String(label)).toThrow(RangeError);
        }
        expect(() => new Decoder(Symbol('utf-8'))).toThrow(TypeError);
      });

      it('names the refused label and the encoding', () => {
        expect(() => new Decoder('latin1')).toThrow('latin1');
        expect(() => new Decoder('latin1')).toThrow(codec.name);
      });
    });
  });
});

/** Anything that converts to true or to false. */
const truths = [true, 1, 'no', {}, []];
const untruths = [false, 0, '', null, undefined, Number.NaN];

describe('arguments', async () => {
  const entries = await loadAllCodecs();

  describe.each(entries.map(({ entry, codec }) => [entry, codec] as const))('%s', (_, codec) => {
    const { TextDecoder, TextDecoderStream, TextEncoder } = codec;
    const faulty = Uint8Array.of(0x41, 0xff);

    it('options are converted to booleans', () => {
      for (const Decoder of [TextDecoder, TextDecoderStream]) {
        for (const [values, expected] of [
          [truths, true],
          [untruths, false],
        ] as const) {
          for (const value of values as never[]) {
            expect(new Decoder(undefined, { fatal: value }).fatal).toBe(expected);
            expect(new Decoder(undefined, { ignoreBOM: value }).ignoreBOM).toBe(expected);
          }
        }
        for (const none of [undefined, null, {}, () => 1]) {
          const { fatal, ignoreBOM } = new Decoder(undefined, none as never);
          expect([fatal, ignoreBOM]).toEqual([false, false]);
        }
        for (const value of ['fatal', 5, true, 1n, Symbol('s')] as never[]) {
          expect(() => new Decoder(undefined, value)).toThrow(TypeError);
        }
      }
    });

    it('stream is converted to a boolean', () => {
      const cut = Uint8Array.of(0x41, 0xe4);
      for (const value of truths as never[]) {
        expect(new TextDecoder().decode(cut, { stream: value })).toBe('A');
      }
      for (const value of untruths as never[]) {
        expect(new TextDecoder().decode(cut, { stream: value })).toBe('A\ufffd');
      }
      expect(new TextDecoder().decode(cut, null)).toBe('A\ufffd');
      expect(() => new TextDecoder().decode(cut, 5 as never)).toThrow(TypeError);
    });

    it('texts are converted to strings', () => {
      const encoder = new TextEncoder();
      for (const value of [null, 5, {}, ['a', 'b'], true] as never[]) {
        expect(encoder.encode(value)).toEqual(encoder.encode(String(value)));
        const target = new Uint8Array(3);
        expect(encoder.encodeInto(value, target).read).toBe(Math.min(3, String(value).length));
      }
      expect(encoder.encode()).toEqual(new Uint8Array());
      expect(encoder.encode(undefined)).toEqual(new Uint8Array());
      for (const call of [
        () => encoder.encode(Symbol('s') as never),
        () => encoder.encodeInto('a', [] as never),
        () => (encoder.encodeInto as unknown as () => void)(),
      ]) {
        expect(call).toThrow(TypeError);
      }
    });

    it('null is no input', () => {
      expect(() => new TextDecoder().decode(null as never)).toThrow(TypeError);
      expect(new TextDecoder().decode(undefined)).toBe('');
      expect(new TextDecoder().decode()).toBe('');
    });

    it('faults and lone surrogates become U+FFFD', () => {
      expect(new TextDecoder().decode(faulty)).toBe('A\ufffd');
      const refused = findRefused(codec) ?? '';
      const bytes = codec.encode(`a${refused}b`, { errors: 'replace' });
      expect(new TextEncoder().encode(`a${refused}b`)).toEqual(bytes);
      const target = new Uint8Array(bytes.length);
      new TextEncoder().encodeInto(`a${refused}b`, target);
      expect(target).toEqual(bytes);
    });

    it('fatal throws a plain TypeError with the fields of a DecodeError', () => {
      const error = errorOf(() => new TextDecoder(codec.name, { fatal: true }).decode(faulty));
      expect(Object.getPrototypeOf(error)).toBe(TypeError.prototype);
      expect(error).toMatchObject({
        ...errorOf(() => codec.decode(faulty)),
        name: 'TypeError',
        code: 'ERR_UTF8_DECODE',
        offset: 1,
      });
    });

    it('a chunk of a stream is converted as the platform does', async () => {
      const write = async (
        stream: Pick<GenericTransformStream, 'writable' | 'readable'>,
        chunk: unknown,
      ) => {
        const writer = stream.writable.getWriter();
        void writer.write(chunk).then(
          () => writer.close(),
          () => undefined,
        );
        const parts = [];
        for await (const part of stream.readable as unknown as AsyncIterable<unknown>) {
          parts.push(part);
        }
        return parts;
      };
      for (const chunk of [null, undefined, 5]) {
        await expect(write(new codec.TextDecoderStream(), chunk)).rejects.toThrow(TypeError);
        await expect(write(new codec.DecoderStream(), chunk)).rejects.toThrow(TypeError);
        await expect(write(new codec.EncoderStream(), chunk)).rejects.toThrow(TypeError);
        const parts = await write(new codec.TextEncoderStream(), chunk);
        expect(parts).toEqual([codec.encode(String(chunk))]);
      }
    });
  });
});

describe('the shape of a class', () => {
  const { TextDecoder, TextEncoder, TextDecoderStream, TextEncoderStream } = strict;
  const classes = { TextDecoder, TextEncoder, TextDecoderStream, TextEncoderStream };
  type Descriptors = Record<PropertyKey, PropertyDescriptor>;

  /** All of a class that a program can see, except how its functions are called. */
  function describeClass(definition: { readonly prototype: object }) {
    const show = (object: object) => {
      const descriptors = Object.getOwnPropertyDescriptors(object) as Descriptors;
      return Reflect.ownKeys(descriptors).flatMap((key) => {
        const { value, get, set, ...flags } = descriptors[key] as PropertyDescriptor;
        // Node adds a function for its inspection, and its streams have no tag before version 22.
        if (typeof key === 'symbol') return [];
        const each = (member: unknown) =>
          typeof member === 'function' ? `${member.name} ${member.length}` : typeof member;
        return [[key, each(value), each(get), each(set), flags]];
      });
    };
    const sort = (list: unknown[]) => list.map((each) => JSON.stringify(each)).sort();
    return { own: sort(show(definition)), members: sort(show(definition.prototype)) };
  }

  it.each(Object.entries(classes))("%s is the platform's", (name, ours) => {
    const platform = globalThis[name as keyof typeof classes];
    expect(describeClass(ours)).toEqual(describeClass(platform));
    expect(Object.getPrototypeOf(ours.prototype)).toBe(Object.prototype);
    const instance = new ours();
    expect(Object.keys(instance)).toEqual([]);
    expect(Object.prototype.toString.call(instance)).toBe(`[object ${name}]`);
    expect(() => (ours as unknown as () => void)()).toThrow(TypeError);
    for (const [key, { get, value }] of Object.entries(
      Object.getOwnPropertyDescriptors(ours.prototype) as Descriptors,
    )) {
      for (const receiver of [{}, Object.create(ours.prototype), globalThis, undefined]) {
        const call = () => Reflect.apply(get ?? value, receiver, ['', new Uint8Array(1)]);
        expect(call, key).toThrow(TypeError);
      }
    }
  });

  it('has its name in the stack of an error', () => {
    const { stack } = errorOf(() => new strict.TextDecoder('latin1')) as Error;
    expect(stack).toContain('at new TextDecoder');
    const decoder = new strict.TextDecoder('utf-8', { fatal: true });
    expect(errorOf(() => decoder.decode(Uint8Array.of(0xff)))?.stack).toMatch(
      /at TextDecoder\.decode/,
    );
  });
});

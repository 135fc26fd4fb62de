/** `@utf8/mutf8/compat` beside the package whose place it takes. */
import { createRequire } from 'node:module';
import * as mutf8 from '@utf8/mutf8';
import * as ours from '@utf8/mutf8/compat';
import * as dataInput from '@utf8/mutf8/data-input';
import * as theirs from 'mutf-8';
import { describe, expect, it } from 'vitest';
import {
  generateBytes,
  generateTexts,
  shortBytes,
} from '../../../tooling/oracles/interop/src/corpus.js';
import { readHex, readUnits } from '../../../tooling/oracles/interop/src/hex.js';
import { choose, scale, seed } from '../../../tooling/tiers/tier.js';
import { disagreements, predict } from './disagreements.js';

const texts = ['', ...Array.from(generateTexts(seed, scale(20_000)), readUnits)];
const inputs = [...choose([...shortBytes()], scale(40_000)), ...generateBytes(seed, scale(40_000))];

const show = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Returns the text, or undefined if decoding fails like that of fatal decoders. */
function attempt(decode: () => string): string | undefined {
  try {
    return decode();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Returns the first input that violates a condition, in hexadecimal digits. */
const findWrong = (all: readonly Uint8Array[], holds: (bytes: Uint8Array) => boolean) => {
  const wrong = all.find((bytes) => !holds(bytes));
  return wrong && show(wrong);
};

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

describe('what a program can see of the classes', () => {
  it('exports have the names of mutf-8 and of mutf-8-stream', () => {
    const streams = ['MUtf8DecoderStream', 'MUtf8EncoderStream'];
    expect(Object.keys(ours).sort()).toEqual([...Object.keys(theirs), ...streams].sort());
  });

  it('is there for CommonJS', { tags: ['slow'] }, () => {
    const require = createRequire(import.meta.url);
    expect(require('@utf8/mutf8/compat').MUtf8Decoder.name).toBe('MUtf8Decoder');
  });

  it.each([
    [ours.MUtf8Decoder, theirs.MUtf8Decoder],
    [ours.MUtf8Encoder, theirs.MUtf8Encoder],
  ])('%o has the same members', (mine, other) => {
    const members = ({ prototype }: typeof mine | typeof other) =>
      Object.entries(Object.getOwnPropertyDescriptors(prototype)).map(([member, { get, value }]) =>
        [member, typeof get, typeof value].join(),
      );
    expect(members(mine).sort()).toEqual(members(other).sort());
    expect(mine.name).toBe(other.name);
    expect(Object.keys(new mine())).toEqual(Object.keys(new other()));
  });

  it('properties have the same values, but for the default of ignoreBOM', () => {
    for (const fatal of [undefined, false, true]) {
      for (const ignoreBOM of [false, true]) {
        const [mine, other] = [ours, theirs].map(({ MUtf8Decoder }) => {
          const options = { ignoreBOM, ...(fatal === undefined ? {} : { fatal }) };
          const decoder = new MUtf8Decoder('mutf-8', options);
          return [decoder.encoding, decoder.fatal, decoder.ignoreBOM];
        });
        expect(mine).toEqual(other);
      }
    }
    expect(new ours.MUtf8Decoder().ignoreBOM).toBe(true);
    expect(new theirs.MUtf8Decoder().ignoreBOM).toBe(false);
    expect(new ours.MUtf8Encoder().encoding).toBe(new theirs.MUtf8Encoder().encoding);
  });

  it.each(['mutf-8', 'mutf8', 'MUTF-8', 'MUtf8'])('both take the label %s', (label) => {
    for (const { MUtf8Decoder } of [ours, theirs]) {
      expect(new MUtf8Decoder(label).encoding).toBe('mutf-8');
    }
  });

  it.each(['', 'utf-8', ' mutf-8', 'mutf_8'])('both refuse the label "%s"', (label) => {
    for (const { MUtf8Decoder } of [ours, theirs]) {
      expect(() => new MUtf8Decoder(label)).toThrow(RangeError);
    }
  });

  it('a fault is a TypeError of both', () => {
    for (const { MUtf8Decoder } of [ours, theirs]) {
      const decoder = new MUtf8Decoder('mutf-8', { fatal: true });
      expect(() => decoder.decode(Uint8Array.of(0x41, 0xff))).toThrow(TypeError);
      // And what came before is forgotten.
      expect(decoder.decode(Uint8Array.of(0x42))).toBe('B');
    }
  });

  it('both take buffers and views of every kind', () => {
    const { buffer } = Uint8Array.of(0x41, 0xc3, 0xa9, 0x42);
    const shared = new Uint8Array(new SharedArrayBuffer(4));
    shared.set(new Uint8Array(buffer));
    for (const { MUtf8Decoder } of [ours, theirs]) {
      const decoder = new MUtf8Decoder();
      for (const input of [buffer, shared.buffer, shared, Buffer.from(buffer)]) {
        expect(decoder.decode(input)).toBe('AéB');
      }
      expect(decoder.decode(new DataView(buffer, 1, 2))).toBe('é');
      expect(decoder.decode(new Uint16Array(buffer, 0, 1))).toBe('A\ufffd');
    }
  });
});

describe('encoding is the same', () => {
  const [encoder, other] = [new ours.MUtf8Encoder(), new theirs.MUtf8Encoder()];
  const isSame = (text: string): boolean => isEqual(encoder.encode(text), other.encode(text));

  it('of every code unit, and of pairs of every high half', () => {
    for (let unit = 0; unit <= 0xffff; unit++) {
      if (!isSame(String.fromCharCode(unit))) expect.fail(unit.toString(16));
    }
    for (let high = 0xd800; high <= 0xdbff; high++) {
      const text = String.fromCharCode(high, 0xdc00, high, 0xdfff, high, high);
      if (!isSame(text)) expect.fail(high.toString(16));
    }
  });

  it('of texts, and of none', () => {
    expect(encoder.encode()).toEqual(other.encode());
    expect(texts.find((text) => !isSame(text))).toBeUndefined();
  });

  it('into every room', () => {
    for (const text of texts.slice(0, scale(5000))) {
      for (let room = 0; room <= 3 * text.length + 1; room++) {
        const [target, reference] = [new Uint8Array(room), new Uint8Array(room)];
        const mine = encoder.encodeInto(text, target);
        const { read, written } = other.encodeInto(text, reference);
        if (mine.read === read && mine.written === written && isEqual(target, reference)) continue;
        expect({ ...mine, target, text }).toEqual({ read, written, target: reference, text });
      }
    }
  });
});

describe('decoding', () => {
  it.each([false, true])('is the same of what is well-formed: ignoreBOM %s', (ignoreBOM) => {
    const options = { fatal: true, ignoreBOM };
    const decoder = new ours.MUtf8Decoder('mutf-8', options);
    const other = new theirs.MUtf8Decoder('mutf-8', options);
    const wellFormed = [
      ...texts.map((text) => mutf8.encode(text)),
      ...inputs.filter((bytes) => mutf8.isValid(bytes)),
    ];
    expect(wellFormed.length).toBeGreaterThan(texts.length);
    const holds = (bytes: Uint8Array) => decoder.decode(bytes) === other.decode(bytes);
    expect(findWrong(wellFormed, holds)).toBeUndefined();
  });

  it.each([
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ])('differs by what is listed alone: fatal %s, ignoreBOM %s', (fatal, ignoreBOM) => {
    const other = new theirs.MUtf8Decoder('mutf-8', { fatal, ignoreBOM });
    const asListed = (bytes: Uint8Array) =>
      attempt(() => other.decode(bytes)) === predict(bytes, fatal, ignoreBOM);
    expect(findWrong(inputs, asListed)).toBeUndefined();

    const decoder = new ours.MUtf8Decoder('mutf-8', { fatal, ignoreBOM });
    const errors = fatal ? 'strict' : 'replace';
    const bom = ignoreBOM ? 'keep' : 'strip';
    const asCodec = (bytes: Uint8Array) =>
      attempt(() => decoder.decode(bytes)) ===
      attempt(() => dataInput.decode(bytes, { errors, bom }));
    expect(findWrong(inputs, asCodec)).toBeUndefined();
  });

  it('in two chunks is the same as in one, cut anywhere', () => {
    const decoder = new ours.MUtf8Decoder();
    const other = new theirs.MUtf8Decoder();
    const read = (reader: typeof decoder | typeof other, bytes: Uint8Array, i: number): string =>
      reader.decode(bytes.subarray(0, i), { stream: true }) + reader.decode(bytes.subarray(i));
    for (const bytes of inputs.slice(-scale(10_000))) {
      const text = dataInput.decode(bytes, { errors: 'replace' });
      const theirText = predict(bytes, false, true);
      // Their handling of U+FEFF depends on the chunks.
      const isTheirs = !show(bytes).includes('efbbbf');
      for (let i = 0; i <= bytes.length; i++) {
        if (read(decoder, bytes, i) === text) {
          if (!isTheirs || read(other, bytes, i) === theirText) continue;
        }
        expect.fail(`${show(bytes)} cut at ${i}`);
      }
    }
  });
});

describe('streams, which mutf-8-stream names', () => {
  const { MUtf8DecoderStream, MUtf8EncoderStream } = ours;
  const toStream = <T>(chunks: Iterable<T>): ReadableStream<T> =>
    new ReadableStream<T>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
  const collect = async <T>(readable: object): Promise<T[]> => {
    const chunks: T[] = [];
    for await (const chunk of readable as AsyncIterable<T>) chunks.push(chunk);
    return chunks;
  };
  const decode = async (chunks: Iterable<Uint8Array>, options?: ours.TextDecoderOptions) => {
    const stream = toStream(chunks);
    const texts = stream.pipeThrough(new MUtf8DecoderStream('mutf-8', options));
    return (await collect<string>(texts)).join('');
  };

  it('have the properties of coders', () => {
    const stream = new MUtf8DecoderStream('MUTF8', { fatal: true, ignoreBOM: false });
    expect([stream.encoding, stream.fatal, stream.ignoreBOM]).toEqual(['mutf-8', true, false]);
    const plain = new MUtf8DecoderStream();
    expect([plain.encoding, plain.fatal, plain.ignoreBOM]).toEqual(['mutf-8', false, true]);
    expect(new MUtf8EncoderStream().encoding).toBe('mutf-8');
    expect(() => new MUtf8DecoderStream('utf-8')).toThrow('MUtf8DecoderStream accepts the labels');
  });

  it('decode in chunks what decode() decodes, cut anywhere', async () => {
    for (const bytes of inputs.slice(-scale(1000))) {
      const at = bytes.length >> 1;
      const chunks = [bytes.subarray(0, at), bytes.subarray(at)];
      expect(await decode(chunks), show(bytes)).toBe(
        dataInput.decode(bytes, { errors: 'replace' }),
      );
    }
  });

  it('replace a character that the end cuts, or fail if fatal', async () => {
    expect(await decode([readHex('41 ED A0')])).toBe('A\ufffd');
    await expect(decode([readHex('41'), readHex('ED A0')], { fatal: true })).rejects.toMatchObject({
      code: 'ERR_UTF8_DECODE',
      offset: 1,
    });
    expect(await decode([readHex('EF BB'), readHex('BF 41')], { ignoreBOM: false })).toBe('A');
  });

  it('encode in chunks what encode() encodes, between surrogates of a pair too', async () => {
    for (const text of texts.slice(0, scale(1000))) {
      const stream = toStream(text.split(''));
      const chunks = await collect<Uint8Array>(stream.pipeThrough(new MUtf8EncoderStream()));
      expect(Buffer.concat(chunks)).toEqual(Buffer.from(mutf8.encode(text)));
    }
  });
});

describe('disagreements', () => {
  it.each(disagreements.map((entry) => [entry.they, entry] as const))(
    'they %s',
    (_, { example, theirs: expected, ours: wanted }) => {
      const read = (decoder: ours.MUtf8Decoder | theirs.MUtf8Decoder): string =>
        example
          .map((chunk, i) => decoder.decode(readHex(chunk), { stream: i < example.length - 1 }))
          .join('');
      expect(read(new ours.MUtf8Decoder())).toBe(wanted);
      if (typeof expected === 'string') expect(read(new theirs.MUtf8Decoder())).toBe(expected);
      else expect(() => read(new theirs.MUtf8Decoder())).toThrow(expected);
    },
  );

  it('name what they and we do, and the standard that decides', () => {
    for (const { they, we, standard, theirs: other, ours: mine } of disagreements) {
      expect(they && we && standard).toBeTruthy();
      expect(other).not.toBe(mine);
    }
  });
});

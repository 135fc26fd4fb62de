/** Policies that use the very codec that calls them: each function within each, over the edges of blocks. */
import { type Codec, Transcoder, transcode } from '@utf8/core';
import { type Backend, useBackend } from '@utf8/core/internal';
import * as strict from '@utf8/strict';
import { describe, expect, it } from 'vitest';
import { isNight } from '../../../tiers/tier.js';
import { loadCodecs } from '../../test/entries.js';

type Errors = () => string;

/** Every function that calls a policy, on an input with a fault at an index. */
const outer: Readonly<Record<string, (codec: Codec, at: number, errors: Errors) => unknown>> = {
  decode: (codec, at, errors) => codec.decode(createBytes(at), { errors }),
  decodedLength: (codec, at, errors) => codec.decodedLength(createBytes(at), { errors }),
  decodeCodePoints: (codec, at, errors) => codec.decodeCodePoints(createBytes(at), { errors }),
  Decoder: (codec, at, errors) => {
    const decoder = new codec.Decoder({ errors });
    const bytes = createBytes(at);
    return (
      decoder.decode(bytes.subarray(0, at + 1), { stream: true }) +
      decoder.decode(bytes.subarray(at + 1))
    );
  },
  transcode: (codec, at, errors) => transcode(createBytes(at), codec, strict, { errors }),
  Transcoder: (codec, at, errors) => {
    const transcoder = new Transcoder(codec, strict, { errors });
    return Buffer.concat([transcoder.push(createBytes(at)), transcoder.flush()]);
  },
  encode: (codec, at, errors) => codec.encode(createText(at), { errors }),
  byteLength: (codec, at, errors) => codec.byteLength(createText(at), { errors }),
  encodeInto: (codec, at, errors) => {
    const target = new Uint8Array(4000);
    const { read, written } = codec.encodeInto(createText(at), target, { errors });
    return [read, target.slice(0, written)];
  },
  Encoder: (codec, at, errors) => new codec.Encoder({ errors }).encode(createText(at)),
};

function createBytes(at: number): Uint8Array {
  const bytes = new Uint8Array(900).fill(0x61);
  // A character that all encodings share, so that all of this is no ASCII.
  bytes.set([0xe4, 0xb8, 0xad], 880);
  bytes[at] = 0xff;
  return bytes;
}

const createText = (at: number): string => `${'a'.repeat(at)}\ud800${'中a'.repeat(400)}`;

/** Calls that a policy makes meanwhile: the same functions, on other inputs. */
const inner: Readonly<Record<string, (codec: Codec) => unknown>> = {
  ...Object.fromEntries(
    Object.entries(outer).map(([name, call]) => [
      name,
      (codec: Codec) => call(codec, 333, () => '#'),
    ]),
  ),
  'long text': (codec) => codec.decode(codec.encode('bc中'.repeat(40_000))),
  isValid: (codec) => codec.isValid(new Uint8Array(5000).fill(0x62)),
  countCodePoints: (codec) => codec.countCodePoints(createBytes(444)),
  'all backends': (codec) => {
    const before = useBackend('javascript');
    const texts = (['javascript', 'webassembly', 'platform', 'fastest'] as Backend[]).map(
      (backend) => {
        useBackend(backend);
        return codec.decode(createBytes(500), { errors: 'replace' });
      },
    );
    useBackend(before);
    return texts;
  },
};

/** Calls a coder with the parts of a stream; the first has a fault, and each ends within a character. */
const coders: Readonly<
  Record<string, (codec: Codec, errors: Errors) => (part: number) => Uint8Array | string>
> = {
  Decoder: (codec, errors) => {
    const decoder = new codec.Decoder({ errors });
    return (part) => decoder.decode(parts[part], { stream: part < 2 });
  },
  Transcoder: (codec, errors) => {
    const transcoder = new Transcoder(codec, strict, { errors });
    return (part) => (part < 2 ? transcoder.push(parts[part] as Uint8Array) : transcoder.flush());
  },
  Encoder: (codec, errors) => {
    const encoder = new codec.Encoder({ errors });
    return (part) =>
      encoder.encode(['a\udc00\ud83d', '\ude00\ud83d', '\ude00'][part], { stream: part < 2 });
  },
};

const parts = [
  [0x61, 0xff, 0xe4],
  [0xb8, 0xad, 0xe4, 0xb8],
].map((bytes) => Uint8Array.from(bytes));

const codecs = (await loadCodecs()).map(({ entry, codec }) => [entry, codec] as const);

describe.each(codecs)('%s', (_, codec) => {
  it.each(Object.entries(outer))('is used by the policy of its own %s', (_, call) => {
    for (const at of isNight ? [0, 15, 16, 64, 500] : [64]) {
      const expected = call(codec, at, () => '?');
      for (const [name, use] of Object.entries(inner)) {
        const alone = use(codec);
        let calls = 0;
        const actual = call(codec, at, () => {
          calls++;
          expect(use(codec), name).toEqual(alone);
          return '?';
        });
        expect(actual, name).toEqual(expected);
        // Encodings of code units refuse no surrogate.
        if (calls === 0) expect(codec.encode('\ud800')).toHaveLength(3);
      }
    }
  });

  it.each(Object.entries(outer))('passes on what its policy throws: %s', (_, call) => {
    const expected = call(codec, 16, () => '?');
    const thrown = new Error('by the policy');
    let error: unknown = thrown;
    try {
      call(codec, 16, () => {
        throw thrown;
      });
    } catch (caught) {
      error = caught;
    }
    expect(error).toBe(thrown);
    expect(call(codec, 16, () => '?')).toEqual(expected);
  });

  describe.each(Object.entries(coders))('a policy that calls its own %s', (kind, createCoder) => {
    it('changes nothing by a call that ends its stream', () => {
      const coder = createCoder(codec, () => {
        coder(3);
        return '?';
      });
      const other = createCoder(codec, () => '?');
      for (const part of [0, 1, 2, 0, 3]) expect(coder(part)).toEqual(other(part));
    });

    // Encodings of code units refuse no surrogate.
    if (kind === 'Encoder' && codec.encode('\ud800', { errors: 'ignore' }).length > 0) return;

    it('is refused where a character would be lost', () => {
      let calls = 0;
      const coder = createCoder(codec, () => {
        if (++calls === 1) coder(1);
        return '?';
      });
      expect(() => coder(0)).toThrow(new TypeError('The policy changed memory or coder.'));
      const after = createCoder(codec, () => '?');
      after(1);
      expect(coder(2)).toEqual(after(2));
    });
  });

  it('takes a text of any length from its policy', () => {
    const huge = '中'.repeat(1 << 20);
    const text = codec.decode(createBytes(16), { errors: () => huge });
    expect(text.length).toBe(900 - 2 - 1 + huge.length);
    expect(text.slice(16, 16 + huge.length) === huge).toBe(true);
  });
});

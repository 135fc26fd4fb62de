// Does what ends at the engine's limits, in a process of its own: limits.mjs CASE SPECIFIER, the codec's.

import assert from 'node:assert/strict';
import { constants } from 'node:buffer';

const [, , name, specifier] = process.argv;
const codec = await import(specifier);
const most = constants.MAX_STRING_LENGTH;

const tooLong = { name: 'RangeError', message: /too long for a string; use Decoder/ };

const cases = {
  /** The longest string, and bytes that give one code unit more. */
  strings() {
    const bytes = new Uint8Array(most + 1).fill(0x61);
    assert.throws(() => codec.decode(bytes), tooLong);
    assert.throws(() => codec.decode(bytes, { errors: 'replace' }), tooLong);
    bytes[5] = 0xff;
    assert.throws(() => codec.decode(bytes, { errors: 'replace' }), tooLong);
    const decoder = new codec.Decoder({ errors: 'replace' });
    assert.throws(() => decoder.decode(bytes), tooLong);
    bytes[5] = 0x61;
    const text = codec.decode(bytes.subarray(1));
    assert.equal(text.length, most);
    assert.equal(codec.byteLength(text), most);
    const again = codec.encode(text);
    assert.equal(again.length, most);
    assert.equal(Buffer.compare(again, bytes.subarray(1)), 0);
    assert.equal(codec.decode(codec.encode('aé')), 'aé');
  },

  /** More than 4 GiB of one input, and offsets in it. */
  bytes() {
    const size = 2 ** 32 + 100;
    const bytes = new Uint8Array(size).fill(0x61);
    bytes[2 ** 31 + 1] = 0xff;
    bytes[2 ** 32 + 5] = 0xff;
    assert.equal(codec.isValid(bytes), false);
    assert.equal(codec.findFault(bytes).offset, 2 ** 31 + 1);
    assert.equal(codec.findFault(bytes, 2 ** 31 + 2).offset, 2 ** 32 + 5);
    assert.equal(codec.decodedLength(bytes, { errors: 'replace' }), size);
    assert.equal(codec.floorBoundary(bytes, 2 ** 32 + 7), 2 ** 32 + 7);
    assert.equal(codec.truncate(bytes, 2 ** 32 + 9).length, 2 ** 32 + 9);
    assert.throws(() => codec.decode(bytes, { errors: 'replace' }), tooLong);
    assert.equal(codec.decode(codec.encode('aé')), 'aé');
  },

  /** Offsets beyond 4 GiB in a stream, with only one chunk in memory. */
  stream() {
    const chunk = new Uint8Array(2 ** 24).fill(0x61);
    const found = [];
    const decoder = new codec.Decoder({
      errors: ({ offset }) => {
        found.push(offset);
        return '';
      },
    });
    for (let i = 0; i < 260; i++) {
      if (i === 130 || i === 258) chunk[7] = 0xff;
      decoder.decode(chunk, { stream: true });
      chunk[7] = 0x61;
    }
    decoder.decode();
    assert.deepEqual(found, [130 * 2 ** 24 + 7, 258 * 2 ** 24 + 7]);
  },

  /** A result that has no place in memory is a RangeError, and the codec continues to work. */
  allocation() {
    const text = 'é'.repeat(2 ** 27);
    const kept = [];
    let error;
    for (let i = 0; i < 40 && !error; i++) {
      try {
        kept.push(codec.encode(text));
      } catch (thrown) {
        error = thrown;
      }
    }
    assert.equal(error?.name, 'RangeError');
    kept.length = 0;
    globalThis.gc();
    assert.equal(codec.decode(codec.encode('aé'.repeat(1000))), 'aé'.repeat(1000));
  },

  /** A million of each, made and dropped, and how much each takes while it lives. */
  async coders() {
    const { Transcoder } = await import('@utf8/core');
    let instances = 0;
    const { Instance } = WebAssembly;
    WebAssembly.Instance = function count(...args) {
      instances++;
      return new Instance(...args);
    };
    const cut = Uint8Array.of(0x61, 0xc3);
    const make = {
      Decoder: () => {
        const decoder = new codec.Decoder();
        decoder.decode(cut, { stream: true });
        return decoder;
      },
      Encoder: () => {
        const encoder = new codec.Encoder({ errors: 'replace' });
        encoder.encode('a\ud800', { stream: true });
        return encoder;
      },
      Transcoder: () => {
        const transcoder = new Transcoder(codec, codec);
        transcoder.push(cut);
        return transcoder;
      },
      DecoderStream: () => {
        const { writable } = new codec.DecoderStream();
        const writer = writable.getWriter();
        writer.write(cut).catch(() => undefined);
        return writer;
      },
    };
    const times = Number(process.env.UTF8_CODERS ?? 20_000);
    const used = async () => {
      for (let i = 0; i < 4; i++) {
        globalThis.gc();
        await new Promise((resolve) => setImmediate(resolve));
      }
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const sizes = {};
    for (const [kind, create] of Object.entries(make)) {
      // Enough that V8 has compiled everything before memory is measured.
      for (let i = 0; i < 3000; i++) create();
      const before = await used();
      let living = Array.from({ length: 1000 }, create);
      sizes[kind] = Math.round(((await used()) - before) / living.length);
      living = undefined;
      for (let i = 0; i < times; i++) {
        create();
        if (i % 10_000 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      const left = ((await used()) - before) / times;
      assert.ok(left < 20, `${kind}: ${left} bytes of each are left`);
    }
    codec.decode(new Uint8Array(1000).fill(0xc3), { errors: 'replace' });
    assert.ok(instances <= 1, `${instances} instances of WebAssembly`);
    console.log(JSON.stringify(sizes));
  },
};

await cases[name]();
console.log('done');

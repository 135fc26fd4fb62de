/**
 * Globals that a program has replaced: by a codec of ours, as polyfills do, by a proxy that calls one, or by a property that
 * throws. Results are those of a realm that has none of these globals, in which codecs work by loops and rows.
 */
import { Script } from 'node:vm';
import type { Codec } from '@utf8/core';
import { describe, expect, it } from 'vitest';
import { choose, isNight } from '../../../tiers/tier.js';
import { bundleCalls, listCodecs } from '../src/bundle.js';
import { type Globals, Realm } from '../src/realm.js';

/** Every global that codecs look at. */
const platform = { TextDecoder, TextEncoder, Buffer, process, WebAssembly, performance };
const names = Object.keys(platform) as (keyof typeof platform)[];

type Replace = (globals: Globals, codec: Codec) => void;

function define(globals: Globals, name: string, descriptor: PropertyDescriptor): void {
  Object.defineProperty(globals, name, { configurable: true, ...descriptor });
}

/** Wraps an object and all objects that it leads to, and decodes and encodes with a codec at each operation. */
function watch<Value>(value: Value, codec: Codec): Value {
  if (typeof value !== 'function' && (typeof value !== 'object' || !value)) return value;
  const use = (): void => {
    codec.decode(codec.encode('Grüße aus Köln, 日本語 и Москва'));
    codec.isValid(new Uint8Array(2000));
  };
  return new Proxy(value, {
    get(target, name) {
      use();
      const found = Reflect.get(target, name);
      const own = Object.getOwnPropertyDescriptor(target, name);
      return own && !own.configurable && !own.writable ? found : watch(found, codec);
    },
    apply(target, self, values) {
      use();
      return Reflect.apply(target as () => unknown, self, values);
    },
    construct(target, values) {
      use();
      const made = Reflect.construct(target as new () => object, values);
      // Methods of the platform refuse a proxy as `this`.
      return new Proxy(made, {
        get(_, name) {
          use();
          const found = Reflect.get(made, name);
          return typeof found === 'function' ? watch(found.bind(made), codec) : found;
        },
      });
    },
  });
}

const replacements: Readonly<Record<string, Replace>> = {
  'TextDecoder by ours': (globals, { TextDecoder }) =>
    define(globals, 'TextDecoder', { value: TextDecoder }),
  'TextEncoder by ours': (globals, { TextEncoder }) =>
    define(globals, 'TextEncoder', { value: TextEncoder }),
  'both by ours': (globals, { TextDecoder, TextEncoder }) => {
    define(globals, 'TextDecoder', { value: TextDecoder });
    define(globals, 'TextEncoder', { value: TextEncoder });
  },
  'both by functions that call ours': (globals, codec) => {
    define(globals, 'TextDecoder', {
      value: (_: string, options?: { fatal?: boolean }) => ({
        decode: (bytes: Uint8Array) =>
          codec.decode(bytes, { errors: options?.fatal ? 'strict' : 'replace' }),
      }),
    });
    define(globals, 'TextEncoder', {
      value: () => ({
        encode: (text: string) => codec.encode(text, { errors: 'replace' }),
        encodeInto: (text: string, target: Uint8Array) =>
          codec.encodeInto(text, target, { errors: 'replace' }),
      }),
    });
  },
  ...Object.fromEntries(
    names.map((name) => [
      `${name} by a proxy that calls ours`,
      (globals: Globals, codec: Codec) =>
        define(globals, name, { value: watch(platform[name], codec) }),
    ]),
  ),
  ...Object.fromEntries(
    names.map((name) => [
      `${name} by a property that throws`,
      (globals: Globals) =>
        define(globals, name, {
          get: () => {
            throw new Error(`${name} must not be read`);
          },
        }),
    ]),
  ),
  'all by properties that throw': (globals) => {
    for (const name of names) {
      define(globals, name, {
        get: () => {
          throw new Error(`${name} must not be read`);
        },
      });
    }
  },
};

/** Functions that may be a program's first use of a codec. */
const functions = [
  ...['decode', 'decodedLength', 'decodeCodePoints', 'Decoder', 'TextDecoder'],
  ...['transcode', 'Transcoder'],
  ...['isValid', 'findFault', 'faults', 'countCodePoints', 'truncate'],
  ...['encode', 'encodeInto', 'byteLength', 'Encoder', 'TextEncoder'],
];

// UTF-8, an encoding that differs from it, and a codec without WebAssembly: all others share their code.
const some = ['@utf8/strict', '@utf8/mutf8', '@utf8/cesu8/lite'];
const byDay = some.slice(0, 1);
const codecs = isNight ? listCodecs() : some;
const chosen = choose(Object.entries(replacements), 3);

for (const specifier of codecs) {
  const tags = byDay.includes(specifier) ? [] : ['slow'];
  describe(`with replaced globals, ${specifier} gives the same`, { tags }, () => test(specifier));
}

async function test(specifier: string): Promise<void> {
  const script = new Script(await bundleCalls([specifier]));
  const bare = new Realm(script, {});
  bare.load();
  const expected = bare.call();

  function prepare(): Realm {
    const realm = new Realm(script, platform);
    realm.load();
    return realm;
  }

  function findDifferences(actual: ReadonlyMap<string, string>): string[] {
    const differences = [...actual].filter(([name, outcome]) => expected.get(name) !== outcome);
    return differences
      .slice(0, 5)
      .map(([name, outcome]) =>
        `${name}: ${outcome} instead of ${expected.get(name)}`.slice(0, 300),
      );
  }

  it.each(chosen)('before first use: %s', (_, replace) => {
    const realm = prepare();
    replace(realm.globals, realm.codec(specifier));
    const actual = realm.call();
    expect(actual.size).toBeGreaterThan(400);
    expect(findDifferences(actual)).toEqual([]);
    expect(findDifferences(realm.call())).toEqual([]);
  });

  it.each(chosen)('between uses: %s', (_, replace) => {
    const realm = prepare();
    realm.call();
    replace(realm.globals, realm.codec(specifier));
    expect(findDifferences(realm.call())).toEqual([]);
  });

  it.each(choose(functions, 2))('if %s is the first use', (name) => {
    const realm = prepare();
    replacements['both by ours']?.(realm.globals, realm.codec(specifier));
    const first = realm.call(undefined, (call) => call.split(' ')[1] === name);
    expect(first.size).toBeGreaterThan(10);
    expect(findDifferences(first)).toEqual([]);
    expect(findDifferences(realm.call())).toEqual([]);
  });
}

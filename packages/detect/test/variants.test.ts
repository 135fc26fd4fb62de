/** The lists that are generated from packages/variants.json, and verdicts on new variants. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { codecs } from '../src/generated/codecs.js';
import { variants } from '../src/generated/variants.js';
import { codecFor, detect, type Label, labels } from '../src/index.js';
import { decideVerdict, type VerdictInput } from '../src/verdict.js';

const at = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

describe('the list of variants', () => {
  it('codecs, labels and findings are in the order of packages/variants.json', () => {
    const specifiers = JSON.parse(readFileSync(at('../../variants.json'), 'utf8')) as string[];
    expect(labels).toHaveLength(specifiers.length);
    expect(Object.keys(codecs)).toEqual(labels);
    expect(detect(hex('')).variants.map(({ label }) => label)).toEqual(labels);
    for (const codec of Object.values(codecs)) {
      for (const label of codec.labels ?? []) expect(codecFor(label)).toBe(codec);
    }
  });

  it('detection reads with the `/lite` codec of each label', () => {
    for (const { label, name, isValid } of variants) {
      expect(name).toBe(codecFor(label).name);
      expect(isValid).not.toBe(codecFor(label).isValid);
    }
  });
});

describe('the general sentence of a verdict', () => {
  /** Returns the input of a verdict as if only these variants accepted the bytes. */
  const prepare = (bytes: Uint8Array, accepting: readonly string[]): VerdictInput => {
    const { variants: _, ...report } = detect(bytes);
    const findings = accepting.map((label) => {
      return { label: label as Label, name: label, isWellFormed: true, fault: undefined };
    });
    return { ...report, findings, refusals: accepting.map(() => 0), head: bytes.subarray(0, 4) };
  };

  it.each([
    ['c0ae ff', ['new'], '1 overlong sequence and 1 malformed sequence, which only new accepts.'],
    [
      'c080 00 00 f09f9880 eda0bd eda0bd',
      ['new', 'newer'],
      '1 four-byte sequence, 2 lone surrogates, C0 80 in 1 place and raw 00 in 2 places, which new and newer accept.',
    ],
    ['4142', ['new'], '2 bytes, which only new accepts.'],
    [
      '4142',
      ['utf8mb3'],
      "No character above U+FFFF: the bytes fit MySQL's utf8mb3, which is UTF-8 up to U+FFFF.",
    ],
  ])('%s', (bytes, accepting, sentence) => {
    const verdict = decideVerdict(prepare(hex(bytes.replaceAll(' ', '')), accepting));
    expect(verdict).toEqual({ label: accepting[0], nearest: accepting[0], sentence });
  });
});

describe('loading the package', () => {
  const names = ['TextDecoder', 'TextEncoder', 'Buffer', 'WebAssembly', 'SharedArrayBuffer'];

  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it('loading detect reads no global of the platform', async () => {
    const touched: string[] = [];
    // Ignores reads by vitest, which loads modules at the same time.
    const watch = (holder: object, name: string): (() => void) => {
      const before = Object.getOwnPropertyDescriptor(holder, name) as PropertyDescriptor;
      const value: unknown = Reflect.get(holder, name);
      const get = (): unknown => {
        if (/[\\/]packages[\\/]\w+[\\/]src[\\/]/.test(new Error(name).stack ?? ''))
          touched.push(name);
        return value;
      };
      Object.defineProperty(holder, name, { configurable: true, get });
      return () => Object.defineProperty(holder, name, before);
    };
    const holders = names.map((name) => watch(globalThis, name));
    const restore = [...holders, watch(process, 'getBuiltinModule')];
    vi.resetModules();
    try {
      const { codecFor: find } = await import('../src/index.js');
      expect(touched).toEqual([]);
      find('utf-8').encode('é'.repeat(5000));
      expect(touched).not.toEqual([]);
    } finally {
      for (const each of restore) each();
    }
  });

  it('detect works without the globals of the platform', async () => {
    vi.resetModules();
    for (const name of names) vi.stubGlobal(name, undefined);
    const { detect } = await import('../src/index.js');
    const { verdict } = detect(Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80));
    vi.unstubAllGlobals();
    expect(verdict.label).toBe('cesu-8');
  });
});

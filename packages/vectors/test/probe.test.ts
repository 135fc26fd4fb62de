/** The probe: its answers for our codecs, for Node's, and for functions that are not readers. */
import type { Codec } from '@utf8/core';
import { describe, expect, it } from 'vitest';
import { variants } from '../../../tooling/conformance/src/generated/codecs.js';
import { choose } from '../../../tooling/tiers/tier.js';
import { rows } from '../src/generated/rows.js';
import { type Variant, vectors } from '../src/index.js';
import { Deviations } from '../src/probe/deviation.js';
import { probe, RAW, type Read } from '../src/probe/index.js';
import { vectorInputs } from '../src/probe/input.js';
import { refusal } from '../src/probe/mode.js';
import { joinPairs, Model } from '../src/probe/model.js';

const labels = Object.keys(rows) as Variant[];
const codecs = Object.values(variants).map(({ full }) => {
  const { labels } = full as Codec & { readonly labels: readonly string[] };
  return [labels[0] as Variant, full] as const;
});

const isSurrogate = ({ value = 0 }: { readonly value?: number | undefined }): boolean =>
  value >= 0xd800 && value <= 0xdfff;

describe('the model', () => {
  it.each(labels)('the model of %s has the text of every vector', (variant) => {
    const one = { name: 'replaces', words: '', render: () => [0xfffd] } as const;
    const replacing = new Model({ variant, practice: 'maximal-subparts', quirks: [], mode: one });
    const refusing = new Model({ variant, practice: 'per-byte', quirks: [], mode: refusal });
    for (const [i, { id, variants }] of vectors.entries()) {
      const { bytes } = vectorInputs[i] as (typeof vectorInputs)[number];
      const { accepts, text } = variants[variant];
      expect(replacing.read(bytes), id).toEqual(joinPairs(text));
      expect(refusing.read(bytes), id).toEqual(accepts ? joinPairs(text) : undefined);
    }
  });

  it.each(labels)('the model of %s counts U+FFFD as the vectors do', (variant) => {
    const one = { name: 'replaces', words: '', render: () => [-1] } as const;
    for (const [practice, name] of [
      ['maximal-subparts', 'maximalSubparts'],
      ['per-byte', 'perByte'],
      ['java', 'java'],
    ] as const) {
      // The JDK has no other encodings; its CESU-8 is the lenient one.
      if (practice === 'java' && variant !== 'utf-8') continue;
      const model = new Model({ variant, practice, quirks: [], mode: one });
      for (const [i, { id, variants }] of vectors.entries()) {
        const { bytes } = vectorInputs[i] as (typeof vectorInputs)[number];
        const text = model.read(bytes) as number[];
        const lost = text.filter((value) => value === -1 || value > 0x10ffff).length;
        // The model joins them as programs do, and no text contains them as numbers.
        const numbers =
          variant === 'rfc2279-lax' ? model.readPieces(bytes).filter(isSurrogate).length : 0;
        expect(lost + numbers, id).toBe(variants[variant].replacements[name]);
      }
    }
  });
});

describe('a codec of ours is recognised:', () => {
  const chosen = choose(codecs, 1);
  const isReplacing = async (label: Variant, codec: Codec): Promise<void> => {
    const report = await probe((bytes) => codec.decodeCodePoints(bytes, { errors: 'replace' }));
    expect(report.deviations).toEqual([]);
    expect(report).toMatchObject({
      variant: label,
      isExact: true,
      malformed: { practice: 'maximal-subparts' },
      bom: 'keeps',
      notes: [],
    });
  };

  it.each(chosen)('%s, replacing', isReplacing);
  it.each(codecs.filter((each) => !chosen.includes(each)))(
    '%s, replacing, among the others',
    { tags: ['slow'] },
    isReplacing,
  );

  it.each(choose(codecs.slice(0, 3), 1))('%s as a stream', async (label, codec) => {
    const readParts = (parts: readonly Uint8Array[]): string => {
      const decoder = new codec.Decoder();
      return (
        parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode()
      );
    };
    const report = await probe((bytes) => readParts([bytes]), { readParts });
    expect(report.deviations).toEqual([]);
    expect(report.variant).toBe(label);
    expect(report.malformed.mode).toBe('refuses');
  });
});

describe('options', () => {
  const lossy = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

  it('as: deviations refer to the variant of the option', { tags: ['slow'] }, async () => {
    const report = await probe(lossy, { as: 'cesu-8' });
    expect(report).toMatchObject({ variant: 'utf-8', reference: 'cesu-8', isExact: false });
    expect(report.deviations.map(({ does }) => does)).toContain('accepts four-byte sequences');
  });

  it('as: no other variant is tried, and onProgress receives the number of inputs', async () => {
    const [, codec] = codecs.find(([label]) => label === 'cesu-8')!;
    const seen: (readonly [number, number])[] = [];
    const report = await probe((bytes) => codec.decodeCodePoints(bytes, { errors: 'replace' }), {
      as: 'cesu-8',
      onProgress: (...progress) => seen.push(progress),
    });
    expect(report).toMatchObject({ variant: 'cesu-8', reference: 'cesu-8', isExact: true });
    expect(seen.every(([done, total]) => done <= total)).toBe(true);
    expect(seen.map(([done]) => done)).toEqual(seen.map((_, i) => seen[0]![0] + i));
  });

  it('join: reads many vectors at once, and unexplained ones again', async () => {
    let count = 0;
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const read = (bytes: Uint8Array): string => {
      count++;
      return decoder.decode(bytes);
    };
    const report = await probe(read, { join: true, concurrency: 4, as: 'utf-8' });
    expect(report).toMatchObject({ variant: 'utf-8', bom: 'keeps', isExact: true, inputs: count });
    expect(count).toBeLessThan(450);
  });

  it('join: finds state between inputs, and reads unexplained ones again', {
    tags: ['slow'],
  }, async () => {
    let count = 0;
    const report = await probe(
      (bytes): string => {
        count++;
        return lossy(bytes);
      },
      { join: true, concurrency: 4 },
    );
    expect(report).toMatchObject({ variant: 'utf-8', bom: 'strips', isExact: true, inputs: count });
    expect(count).toBeLessThan(450);
  });

  it('join: reads each vector alone if one differs together with others', {
    tags: ['slow'],
  }, async () => {
    const hangs = (bytes: Uint8Array) => bytes[0] === 0xed && bytes[1]! >= 0xa0;
    const read = (bytes: Uint8Array) => (hangs(bytes) ? { failure: 'hangs' } : lossy(bytes));
    const joined = await probe(read, { join: true });
    const alone = await probe(read);
    expect(joined.fingerprint).toBe(alone.fingerprint);
    expect(joined.deviations.map(({ does }) => does)).toEqual([
      'reads bytes otherwise after other text',
      'hangs',
    ]);
  });

  it('examples list short inputs first', () => {
    const found = new Deviations();
    for (let i = 0; i < 60; i++) {
      const bytes = new Uint8Array(i % 2 ? 4 : 4000);
      const input = { id: `${i}`, bytes, description: '' };
      found.add('hangs or crashes', 'crashes', { input, expected: [], answer: {} });
    }
    const [crash] = found.list();
    const lengths = crash!.examples.map(({ bytes }) => bytes!.length / 2);
    expect(lengths).toEqual(new Array(20).fill(4));
  });
});

const impostors: readonly (readonly [string, Read, message: string])[] = [
  ['returns nothing', () => undefined, 'refuses "Hello, world"'],
  ['throws', () => JSON.parse('no'), 'refuses "Hello, world"'],
  ['has no answer', () => ({ failure: 'hangs' }), 'hangs, given "Hello, world"'],
  ['returns other text', () => 'no\ud800', 'prints "no\\ud800", given "Hello, world"'],
  ['ignores its input', () => 'Hello, world', 'prints "Hello, world", given "Good morning"'],
  [
    'returns a mark',
    () => '\ufeffHello, world',
    'prints "\\ufeffHello, world", given "Hello, world"',
  ],
  ['returns no text', () => [-1, 1e9], 'prints "??", given "Hello, world"'],
];

describe('probe of a function that is not a reader', () => {
  it.each(impostors)('%s', async (_, read, message) => {
    await expect(probe(read)).rejects.toThrow(
      expect.objectContaining({ name: 'ProbeError', code: 'ERR_UTF8_PROBE', message }),
    );
  });

  it('a reader that returns its input is an echo', { tags: ['slow'] }, async () => {
    const read = (bytes: Uint8Array): number[] =>
      Array.from(bytes, (byte) => (byte < 0x80 ? byte : RAW + byte));
    expect(await probe(read)).toMatchObject({ isEcho: true });
  });
});

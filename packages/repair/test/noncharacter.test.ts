import { codecFor } from '@utf8/detect';
import { describe, expect, it } from 'vitest';
import {
  createRepairer,
  jsonSyntax,
  mayContainNoncharacter,
  type NoncharacterPolicy,
  noncharacterPolicies,
  type Repairer,
} from '../src/index.js';

/** All 66. */
const noncharacters = [
  ...Array.from({ length: 32 }, (_, i) => 0xfdd0 + i),
  ...Array.from({ length: 17 }, (_, i) => [0x1_0000 * i + 0xfffe, 0x1_0000 * i + 0xffff]).flat(),
];

/** Code points near noncharacters. */
const others = [0xfdcf, 0xfdf0, 0xfffd, 0xefff, 0x1_fffd, 0x2_0000, 0x5_1234, 0x10_fffd, 0xfeff];

const encodings = ['utf-8', 'cesu-8', 'mutf-8', 'wtf-8', 'rfc2279', 'cesu-8+utf-8'] as const;

const spell = (codePoint: number): string =>
  Array.from({ length: codePoint > 0xffff ? 2 : 1 }, (_, i) =>
    (jsonSyntax.escapeUnit as (unit: number) => string)(
      String.fromCodePoint(codePoint).charCodeAt(i),
    ),
  ).join('');

describe.each(encodings)('in %s, a noncharacter', (from) => {
  const codec = codecFor(from);
  const wrap = (codePoints: number[]): Uint8Array =>
    codec.encodeCodePoints([0x41, ...codePoints, 0x42]);

  it.each(noncharacterPolicies)('is decided by %s', (policy) => {
    const repair = createRepairer({ from, to: from, noncharacters: policy });
    const becomes = policy === 'replace' ? [0xfffd] : [];
    for (const codePoint of noncharacters) {
      const text = wrap([codePoint]);
      expect(mayContainNoncharacter(text)).toBe(true);
      const { status, bytes, findings } = repair(text);
      if (policy === 'keep') {
        expect([status, bytes]).toEqual(['unchanged', text]);
        continue;
      }
      const isRefused = policy === 'fail';
      expect(status).toBe(isRefused ? 'rejected' : 'changed');
      expect(findings).toEqual([
        {
          offset: 1,
          length: text.length - 2,
          kind: 'noncharacter',
          reason: undefined,
          becomes: isRefused ? undefined : codec.encodeCodePoints(becomes),
        },
      ]);
      if (isRefused) continue;
      expect(bytes).toEqual(wrap(becomes));
      expect(repair(bytes).status).toBe('unchanged');
    }
    for (const codePoint of others) expect(repair(wrap([codePoint])).status).toBe('unchanged');
  });

  it('is decided by no policy for what is malformed, or spelled otherwise', () => {
    const policies = { from, to: 'utf-8', errors: 'replace', noncharacters: 'remove' } as const;
    const kinds = new Set<string>();
    for (const bytes of [
      [0xf0, 0x8f, 0xbf, 0xbe],
      [0xef, 0xbf],
      [0xed, 0xbf, 0xbe],
      [0xbf, 0xbe],
    ]) {
      for (const { kind } of createRepairer(policies)(Uint8Array.from(bytes)).findings) {
        kinds.add(kind);
      }
    }
    expect(kinds.has('noncharacter')).toBe(false);
  });
});

describe('an escape of JSON', () => {
  const repairers = new Map<NoncharacterPolicy, Repairer>();
  const of = (noncharacters: NoncharacterPolicy): Repairer => {
    const repairer =
      repairers.get(noncharacters) ?? createRepairer({ from: 'utf-8', noncharacters });
    repairers.set(noncharacters, repairer);
    return repairer;
  };
  const value = { syntaxes: [], structure: { is: 'json' } } as const;
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

  it('spells one', () => {
    for (const codePoint of noncharacters) {
      for (const escaped of [
        spell(codePoint),
        spell(codePoint).toUpperCase().replaceAll('U', 'u'),
      ]) {
        const text = encode(`{"a": "x${escaped}y"}`);
        expect(of('keep')(text, { escapes: false, value }).status).toBe('unchanged');
        expect(of('keep').isClean(text)).toBe(true);
        expect(of('replace').isClean(text)).toBe(false);
        expect(of('fail')(text, { escapes: false, value }).findings).toMatchObject([
          { offset: 8, length: escaped.length, kind: 'noncharacter' },
        ]);
        expect(of('replace')(text, { escapes: false, value }).bytes).toEqual(
          encode('{"a": "x\ufffdy"}'),
        );
        expect(of('remove')(text, { escapes: false, value }).bytes).toEqual(encode('{"a": "xy"}'));
      }
    }
    for (const codePoint of others) {
      const text = encode(`{"a": "x${spell(codePoint)}y"}`);
      expect(of('fail')(text, { escapes: false, value }).status).toBe('unchanged');
    }
  });

  it('is made by removing one as little as is U+0000', () => {
    const text = encode('{"a": "\\\\u00\ufffe00"}');
    const policies = { from: 'utf-8', nul: 'remove', noncharacters: 'remove' } as const;
    expect(createRepairer(policies)(text, { escapes: false, value }).bytes).toEqual(
      encode('{"a": "\\\\u0000"}'),
    );
  });

  it('makes equal keys', () => {
    const text = encode('{"a\\uffff": 1, "a": 2}');
    expect(of('remove')(text, { escapes: false, value }).status).toBe('rejected');
  });
});

it('joins no surrogates that are kept', () => {
  expect(() =>
    createRepairer({
      from: 'wtf-8',
      to: 'wtf-8',
      unpairedSurrogates: 'keep',
      noncharacters: 'remove',
    }),
  ).toThrow(
    "`unpairedSurrogates: 'keep'` with `noncharacters: 'remove'` can join two surrogates into one character; use `noncharacters: 'replace'`",
  );
});

it('has no other policy', () => {
  expect(() => createRepairer({ from: 'utf-8', noncharacters: 'escape' as never })).toThrow(
    'unknown noncharacters: "escape"; expected keep, replace, remove, fail',
  );
});

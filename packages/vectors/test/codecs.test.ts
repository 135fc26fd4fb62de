/** Our codecs, against every vector. */
import type { Codec } from '@utf8/core';
import { describe, expect, it } from 'vitest';
import { variants } from '../../../tooling/conformance/src/generated/codecs.js';
import { type Variant, vectors } from '../src/index.js';

// Not by a dynamic import: this also runs as one module, where there is no other to load.
const codecs = Object.values(variants).map(({ full }) => {
  const { labels } = full as Codec & { readonly labels: readonly string[] };
  return [labels[0] as Variant, full] as const;
});

/** Joins the surrogates of pairs: our codecs count them as one character. */
const join = (values: readonly number[]): number[] =>
  values.some((value) => value > 0x10ffff)
    ? [...values]
    : Array.from(
        String.fromCodePoint(...values),
        (character) => character.codePointAt(0) as number,
      );

describe.each(codecs)('%s', (variant, codec) => {
  it.each(vectors.map((vector) => [vector.id, vector] as const))('%s', (_, vector) => {
    const bytes = Uint8Array.from(Buffer.from(vector.bytes, 'hex'));
    const { accepts, text, fault, replacements } = vector.variants[variant];
    expect(codec.isValid(bytes)).toBe(accepts);
    expect(codec.findFault(bytes)).toEqual(fault);
    const read = Array.from(codec.decodeCodePoints(bytes, { errors: 'replace' }));
    expect(read).toEqual(join(text));

    const string = codec.decode(bytes, { errors: 'replace' });
    const replaced = text.map((value) => (value > 0x10ffff ? 0xfffd : value));
    expect(string).toBe(String.fromCodePoint(...replaced));
    const encoded = accepts ? text.filter((value) => value === 0xfffd).length : 0;
    expect(string.split('\ufffd').length - 1 - encoded).toBe(replacements.maximalSubparts);

    const escaped: number[] = [];
    for (const { length, reason } of codec.faults(bytes)) {
      expect(reason).not.toBe('unrepresentable');
      escaped.push(length);
    }
    const beyond = text.filter((value) => value > 0x10ffff).length;
    expect(escaped.reduce((sum, length) => sum + length, beyond)).toBe(replacements.perByte);
  });
});

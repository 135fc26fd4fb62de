/** Our codecs, against every vector. */
import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import * as mixed from '@utf8/cesu8/mixed';
import type { Codec } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import * as dataInput from '@utf8/mutf8/data-input';
import * as rfc2279 from '@utf8/rfc2279';
import * as strict from '@utf8/strict';
import { describe, expect, it } from 'vitest';
import { type Variant, vectors } from '../src/index.js';

const codecs: Record<Variant, Codec> = {
  'utf-8': strict,
  'cesu-8': cesu8,
  'cesu-8-lenient': lenient,
  'cesu-8+utf-8': mixed,
  'mutf-8': mutf8,
  'mutf-8-lenient': dataInput,
  rfc2279,
};

/** Joins the halves of pairs: our codecs count them as one character. */
const join = (values: readonly number[]): number[] =>
  values.some((value) => value > 0x10ffff)
    ? [...values]
    : Array.from(
        String.fromCodePoint(...values),
        (character) => character.codePointAt(0) as number,
      );

describe.each(Object.entries(codecs) as [Variant, Codec][])('%s', (variant, codec) => {
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

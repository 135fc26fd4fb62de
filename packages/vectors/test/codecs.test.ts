/** Compares the codecs with every vector. */
import type { Codec } from '@utf8/core';
import { expect, it } from 'vitest';
import { variants } from '../../../tooling/conformance/src/generated/codecs.js';
import { type Variant, vectors } from '../src/index.js';

// A static import, since this file also runs as one bundled module.
const codecs = Object.values(variants).map(({ full }) => {
  const { labels } = full as Codec & { readonly labels: readonly string[] };
  return [labels[0] as Variant, full] as const;
});

const isText = (variant: Variant, value: number): boolean =>
  value <= 0x10ffff && !(variant === 'rfc2279-lax' && value >= 0xd800 && value <= 0xdfff);

/** Joins the surrogates of pairs: our codecs count them as one character, unless they are numbers. */
const join = (variant: Variant, values: readonly number[]): number[] =>
  values.some((value) => !isText(variant, value))
    ? [...values]
    : Array.from(
        String.fromCodePoint(...values),
        (character) => character.codePointAt(0) as number,
      );

it.each(codecs)('%s agrees with every vector', (variant, codec) => {
  for (const { id, ...vector } of vectors) {
    const bytes = Uint8Array.from(Buffer.from(vector.bytes, 'hex'));
    const { accepts, text, fault, replacements } = vector.variants[variant];
    const string = codec.decode(bytes, { errors: 'replace' });
    const encoded = accepts ? text.filter((value) => value === 0xfffd).length : 0;
    const faults = [...codec.faults(bytes)];
    const beyond = text.filter((value) => !isText(variant, value)).length;
    expect({
      id,
      accepts: codec.isValid(bytes),
      fault: codec.findFault(bytes),
      text: Array.from(codec.decodeCodePoints(bytes, { errors: 'replace' })),
      string,
      replaced: string.split('\ufffd').length - 1 - encoded,
      escaped: faults.reduce((sum, { length }) => sum + length, beyond),
      unrepresentable: faults.filter(({ reason }) => reason === 'unrepresentable'),
    }).toEqual({
      id,
      accepts,
      fault,
      text: join(variant, text),
      string: String.fromCodePoint(
        ...text.map((value) => (isText(variant, value) ? value : 0xfffd)),
      ),
      replaced: replacements.maximalSubparts,
      escaped: replacements.perByte,
      unrepresentable: [],
    });
  }
});

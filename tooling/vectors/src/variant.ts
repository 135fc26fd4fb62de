/** The variants, by the labels that `codecFor` of `@utf8/detect` takes. */
import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import * as mixed from '@utf8/cesu8/mixed';
import type { Codec } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import * as dataInput from '@utf8/mutf8/data-input';
import * as rfc2279 from '@utf8/rfc2279';
import * as strict from '@utf8/strict';
import type { Variant } from '../../../packages/vectors/src/index.js';

/** Of the codecs only the grammars are used: what they do is what the vectors are to test. */
export const variants: Readonly<Record<Variant, Pick<Codec, 'grammar'>>> = {
  'utf-8': strict,
  'cesu-8': cesu8,
  'cesu-8-lenient': lenient,
  'cesu-8+utf-8': mixed,
  'mutf-8': mutf8,
  'mutf-8-lenient': dataInput,
  rfc2279,
};

export const names: readonly Variant[] = Object.keys(variants) as Variant[];

export const codecs: readonly Pick<Codec, 'grammar'>[] = Object.values(variants);

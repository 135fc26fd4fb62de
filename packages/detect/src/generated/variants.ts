// Generated from packages/variants.json by `node tooling/build/codecs/variants.mjs`; a test fails if the two differ.
import * as cesu8 from '@utf8/cesu8';
import * as cesu8Lenient from '@utf8/cesu8/lenient';
import * as cesu8Mixed from '@utf8/cesu8/mixed';
import type { Codec } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import * as mutf8Android from '@utf8/mutf8/android';
import * as mutf8DataInput from '@utf8/mutf8/data-input';
import * as rfc2279 from '@utf8/rfc2279';
import * as rfc2279Lax from '@utf8/rfc2279/lax';
import * as strict from '@utf8/strict';
import * as strictMb3 from '@utf8/strict/mb3';
import * as wtf8 from '@utf8/wtf8';
import * as wtf8Generalized from '@utf8/wtf8/generalized';

/** The label of a codec, as this package writes it. */
export type Label =
  | 'utf-8'
  | 'cesu-8'
  | 'cesu-8-lenient'
  | 'cesu-8+utf-8'
  | 'mutf-8'
  | 'mutf-8-lenient'
  | 'wtf-8'
  | 'wtf-8-generalized'
  | 'mutf-8-android'
  | 'rfc2279'
  | 'rfc2279-lax'
  | 'utf8mb3';

/** Every variant in order of preference: of two that accept the same bytes, the first wins. */
export const codecs: readonly (Codec & { readonly labels: readonly string[] })[] = [
  strict,
  cesu8,
  cesu8Lenient,
  cesu8Mixed,
  mutf8,
  mutf8DataInput,
  wtf8,
  wtf8Generalized,
  mutf8Android,
  rfc2279,
  rfc2279Lax,
  strictMb3,
];

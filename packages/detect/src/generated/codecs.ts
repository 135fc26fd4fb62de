// Generated from packages/variants.json by `npm run generate`; a test fails if the two differ.
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
import type { Label } from './labels.js';

/** The full codecs, by label. */
export const codecs: Readonly<Record<Label, Codec>> = {
  'utf-8': strict,
  'cesu-8': cesu8,
  'cesu-8-lenient': cesu8Lenient,
  'cesu-8+utf-8': cesu8Mixed,
  'mutf-8': mutf8,
  'mutf-8-lenient': mutf8DataInput,
  'wtf-8': wtf8,
  'wtf-8-generalized': wtf8Generalized,
  'mutf-8-android': mutf8Android,
  rfc2279: rfc2279,
  'rfc2279-lax': rfc2279Lax,
  utf8mb3: strictMb3,
};

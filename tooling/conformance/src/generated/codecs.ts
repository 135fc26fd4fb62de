// Generated from packages/variants.json by `npm run generate`; a test fails if the two differ.
import type { Codec } from '@utf8/core';
import * as strict from '@utf8/strict';
import * as strictLite from '@utf8/strict/lite';
import * as cesu8 from '@utf8/cesu8';
import * as cesu8Lite from '@utf8/cesu8/lite';
import * as cesu8Lenient from '@utf8/cesu8/lenient';
import * as cesu8LenientLite from '@utf8/cesu8/lenient/lite';
import * as cesu8Mixed from '@utf8/cesu8/mixed';
import * as cesu8MixedLite from '@utf8/cesu8/mixed/lite';
import * as mutf8 from '@utf8/mutf8';
import * as mutf8Lite from '@utf8/mutf8/lite';
import * as mutf8DataInput from '@utf8/mutf8/data-input';
import * as mutf8DataInputLite from '@utf8/mutf8/data-input/lite';
import * as wtf8 from '@utf8/wtf8';
import * as wtf8Lite from '@utf8/wtf8/lite';
import * as wtf8Generalized from '@utf8/wtf8/generalized';
import * as wtf8GeneralizedLite from '@utf8/wtf8/generalized/lite';
import * as mutf8Android from '@utf8/mutf8/android';
import * as mutf8AndroidLite from '@utf8/mutf8/android/lite';
import * as rfc2279 from '@utf8/rfc2279';
import * as rfc2279Lite from '@utf8/rfc2279/lite';
import * as rfc2279Lax from '@utf8/rfc2279/lax';
import * as rfc2279LaxLite from '@utf8/rfc2279/lax/lite';
import * as strictMb3 from '@utf8/strict/mb3';
import * as strictMb3Lite from '@utf8/strict/mb3/lite';

/** The codecs of each variant, by its specifier without the scope. */
export const variants: Readonly<Record<string, { readonly full: Codec; readonly lite: Codec }>> = {
  'strict': { full: strict, lite: strictLite },
  'cesu8': { full: cesu8, lite: cesu8Lite },
  'cesu8/lenient': { full: cesu8Lenient, lite: cesu8LenientLite },
  'cesu8/mixed': { full: cesu8Mixed, lite: cesu8MixedLite },
  'mutf8': { full: mutf8, lite: mutf8Lite },
  'mutf8/data-input': { full: mutf8DataInput, lite: mutf8DataInputLite },
  'wtf8': { full: wtf8, lite: wtf8Lite },
  'wtf8/generalized': { full: wtf8Generalized, lite: wtf8GeneralizedLite },
  'mutf8/android': { full: mutf8Android, lite: mutf8AndroidLite },
  'rfc2279': { full: rfc2279, lite: rfc2279Lite },
  'rfc2279/lax': { full: rfc2279Lax, lite: rfc2279LaxLite },
  'strict/mb3': { full: strictMb3, lite: strictMb3Lite },
};

// Generated from packages/variants.json by `npm run generate`; a test fails if the two differ.
import * as cesu8Lenient from '@utf8/cesu8/lenient/lite';
import * as cesu8 from '@utf8/cesu8/lite';
import * as cesu8Mixed from '@utf8/cesu8/mixed/lite';
import type { Codec } from '@utf8/core';
import * as mutf8Android from '@utf8/mutf8/android/lite';
import * as mutf8DataInput from '@utf8/mutf8/data-input/lite';
import * as mutf8 from '@utf8/mutf8/lite';
import * as rfc2279Lax from '@utf8/rfc2279/lax/lite';
import * as rfc2279 from '@utf8/rfc2279/lite';
import * as strict from '@utf8/strict/lite';
import * as strictMb3 from '@utf8/strict/mb3/lite';
import * as wtf8Generalized from '@utf8/wtf8/generalized/lite';
import * as wtf8 from '@utf8/wtf8/lite';
import type { Label } from './labels.js';

/** The functions of an encoding that detection and explanations use, without WebAssembly. */
export interface Variant extends Pick<Codec, 'name' | 'isValid' | 'findFault' | 'faults'> {
  /** The label of the encoding. */
  readonly label: Label;
}

/** All variants, in order of preference. */
export const variants: readonly Variant[] = [
  {
    label: 'utf-8',
    name: strict.name,
    isValid: strict.isValid,
    findFault: strict.findFault,
    faults: strict.faults,
  },
  {
    label: 'cesu-8',
    name: cesu8.name,
    isValid: cesu8.isValid,
    findFault: cesu8.findFault,
    faults: cesu8.faults,
  },
  {
    label: 'cesu-8-lenient',
    name: cesu8Lenient.name,
    isValid: cesu8Lenient.isValid,
    findFault: cesu8Lenient.findFault,
    faults: cesu8Lenient.faults,
  },
  {
    label: 'cesu-8+utf-8',
    name: cesu8Mixed.name,
    isValid: cesu8Mixed.isValid,
    findFault: cesu8Mixed.findFault,
    faults: cesu8Mixed.faults,
  },
  {
    label: 'mutf-8',
    name: mutf8.name,
    isValid: mutf8.isValid,
    findFault: mutf8.findFault,
    faults: mutf8.faults,
  },
  {
    label: 'mutf-8-lenient',
    name: mutf8DataInput.name,
    isValid: mutf8DataInput.isValid,
    findFault: mutf8DataInput.findFault,
    faults: mutf8DataInput.faults,
  },
  {
    label: 'wtf-8',
    name: wtf8.name,
    isValid: wtf8.isValid,
    findFault: wtf8.findFault,
    faults: wtf8.faults,
  },
  {
    label: 'wtf-8-generalized',
    name: wtf8Generalized.name,
    isValid: wtf8Generalized.isValid,
    findFault: wtf8Generalized.findFault,
    faults: wtf8Generalized.faults,
  },
  {
    label: 'mutf-8-android',
    name: mutf8Android.name,
    isValid: mutf8Android.isValid,
    findFault: mutf8Android.findFault,
    faults: mutf8Android.faults,
  },
  {
    label: 'rfc2279',
    name: rfc2279.name,
    isValid: rfc2279.isValid,
    findFault: rfc2279.findFault,
    faults: rfc2279.faults,
  },
  {
    label: 'rfc2279-lax',
    name: rfc2279Lax.name,
    isValid: rfc2279Lax.isValid,
    findFault: rfc2279Lax.findFault,
    faults: rfc2279Lax.faults,
  },
  {
    label: 'utf8mb3',
    name: strictMb3.name,
    isValid: strictMb3.isValid,
    findFault: strictMb3.findFault,
    faults: strictMb3.faults,
  },
];

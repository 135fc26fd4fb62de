/** The codecs that tests of all functions run on. */
import * as mixedLite from '@utf8/cesu8/mixed/lite';
import type { Codec } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import * as strict from '@utf8/strict';
import { isNight } from '../../tiers/tier.js';

export interface Entry {
  /** Specifier of the import, such as `@utf8/cesu8/lite`. */
  readonly entry: string;
  readonly codec: Codec;
}

/** UTF-8, an encoding of code units with a kernel, and one that accepts two forms without a kernel. */
const some: readonly Entry[] = [
  { entry: '@utf8/strict', codec: strict },
  { entry: '@utf8/mutf8', codec: mutf8 },
  { entry: '@utf8/cesu8/mixed/lite', codec: mixedLite },
];

/** Loads three codecs, and at night all: codecs share the code that these tests cover. */
export const loadCodecs = async (): Promise<readonly Entry[]> => (isNight ? loadAllCodecs() : some);

/** Loads every codec, for what each has of its own. */
export async function loadAllCodecs(): Promise<readonly Entry[]> {
  const { variants } = await import('../src/generated/codecs.js');
  return Object.entries(variants).flatMap(([name, { full, lite }]) => [
    { entry: `@utf8/${name}`, codec: full },
    { entry: `@utf8/${name}/lite`, codec: lite },
  ]);
}

/** Returns a text of one character that `encode` refuses under `strict`; undefined if it refuses none. */
export function findRefused(codec: Codec): string | undefined {
  return ['\ud800', '\u{1f600}'].find((text) => {
    try {
      codec.encode(text);
      return false;
    } catch {
      return true;
    }
  });
}

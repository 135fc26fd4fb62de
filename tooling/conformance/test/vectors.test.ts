import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import * as cesu8Lite from '@utf8/cesu8/lite';
import * as mixed from '@utf8/cesu8/mixed';
import type { Codec } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import * as mutf8Lite from '@utf8/mutf8/lite';
import * as rfc2279 from '@utf8/rfc2279';
import * as rfc2279Lite from '@utf8/rfc2279/lite';
import * as strict from '@utf8/strict';
import * as strictLite from '@utf8/strict/lite';
import { describe, expect, it } from 'vitest';
import { folders, readVectors } from '../src/folder.js';
import { findDisagreement, runVector } from '../src/vectors.js';

/** The codecs that implement a variant, as the vectors name it. */
const codecs: Record<string, Record<string, Codec>> = {
  'utf-8': { kernel: strict, table: strictLite },
  'cesu-8': { kernel: cesu8, table: cesu8Lite },
  'cesu-8-lenient': { table: lenient },
  'cesu-8+utf-8': { table: mixed },
  'mutf-8': { kernel: mutf8, table: mutf8Lite },
  rfc2279: { kernel: rfc2279, table: rfc2279Lite },
};

/** Variants that are not of this family's. */
const foreign = ['wtf-8', 'rfc2279-lenient'];

if (!folders.UTF8_VECTORS) {
  console.log('skipped: vectors of public suites, since UTF8_VECTORS names no folder');
}

for (const [place, folder] of Object.entries(folders)) {
  describe.skipIf(!folder)(`vectors: ${place}`, () => {
    if (!folder) {
      it('are not there');
      return;
    }
    for (const [file, vectors] of readVectors(folder)) {
      for (const variant of new Set(vectors.map((vector) => vector.variant))) {
        const list = vectors.filter((vector) => vector.variant === variant);
        for (const [driver, codec] of Object.entries(codecs[variant] ?? {})) {
          it(`${file}: ${list.length} of ${variant}, ${driver}`, () => {
            for (const vector of list) {
              const disagreement = findDisagreement(vector);
              if (disagreement) {
                expect(() => runVector(codec, vector), disagreement.why).toThrow();
                continue;
              }
              try {
                runVector(codec, vector);
              } catch (error) {
                (error as Error).message += `\nin ${JSON.stringify(vector)}`;
                throw error;
              }
            }
          });
        }
      }
    }

    it('have no variant that nobody knows', () => {
      const variants = [...readVectors(folder).values()].flat().map(({ variant }) => variant);
      const unknown = new Set(variants.filter((v) => !codecs[v] && !foreign.includes(v)));
      expect([...unknown]).toEqual([]);
    });
  });
}

import type { Codec } from '@utf8/core';
import { describe, expect, it } from 'vitest';
import { folders, readVectors } from '../src/folder.js';
import { variants } from '../src/generated/codecs.js';
import { findDisagreement, runVector } from '../src/vectors.js';

/** The codecs that implement a variant, by the label that the vectors name it by. */
const codecs: Record<string, Record<string, Codec>> = Object.fromEntries(
  Object.values(variants).map(({ full, lite }) => [full.labels?.[0], { full, lite }]),
);

/** Variants that are not of this family's. */
const foreign = ['rfc2279-lenient'];

for (const [place, folder] of Object.entries(folders)) {
  if (!folder) continue;
  describe(`vectors: ${place}`, () => {
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

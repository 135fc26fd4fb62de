/** The suite on every variant. */
import type { Codec } from '@utf8/core';
import { variants } from './generated/codecs.js';
import { type Comparison, type Decode, testCodec } from './suite.js';

/** Other implementations of a variant under `replace`, for the exhaustive comparison. */
const references: Readonly<Record<string, Decode>> = {
  strict: (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
};

/** Registers the suite for one part of the codecs; files run at the same time. */
export function testVariants(part: number, parts: number): void {
  const codecs = Object.entries(variants).flatMap(
    ([name, { full, lite }]): [string, Codec, Comparison][] => {
      const expected: Decode = (bytes) => full.decode(bytes, { errors: 'replace' });
      return [
        [name, full, references[name] ? { reference: references[name] } : {}],
        [`${name}/lite`, lite, { expected, leads: 64 }],
      ];
    },
  );
  codecs.forEach(([title, codec, comparison], i) => {
    if (i % parts === part % parts) testCodec(title, codec, comparison);
  });
}

/** The suite on every variant. */
import { variants } from './generated/codecs.js';
import { testCodec } from './suite.js';

/** Other implementations of a variant under `replace`, for the exhaustive comparison. */
const references: Readonly<Record<string, (bytes: Uint8Array) => string>> = {
  strict: (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
};

/** Registers the suite for one part of the codecs; files run at the same time. */
export function testVariants(part: number, parts: number): void {
  const codecs = Object.entries(variants).flatMap(([name, { full, lite }]) => [
    { title: name, codec: full, reference: references[name] },
    { title: `${name}/lite`, codec: lite, reference: undefined },
  ]);
  codecs.forEach(({ title, codec, reference }, i) => {
    if (i % parts === part % parts) testCodec(title, codec, reference);
  });
}

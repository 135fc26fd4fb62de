/** Lists of codecs for other packages, from the one list of variants. */
import { readFileSync } from 'node:fs';

const HEADER =
  '// Generated from packages/variants.json by `npm run generate`; a test fails if the two differ.';

const specifiers: string[] = JSON.parse(
  readFileSync(new URL('../../../packages/variants.json', import.meta.url), 'utf8'),
);

/** Turns `@utf8/mutf8/data-input` into `mutf8DataInput`. */
const toIdentifier = (specifier: string): string =>
  specifier
    .slice('@utf8/'.length)
    .replace(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase());

/** Writes the codecs that the conformance suite runs on, in full and in lite. */
export function writeCodecs(): string {
  const names = specifiers.map((specifier) => [specifier, toIdentifier(specifier)] as const);
  const entry = ([specifier, name]: readonly [string, string]): string =>
    `  '${specifier.slice('@utf8/'.length)}': { full: ${name}, lite: ${name}Lite },`;
  return [
    HEADER,
    "import type { Codec } from '@utf8/core';",
    ...names.flatMap(([specifier, name]) => [
      `import * as ${name} from '${specifier}';`,
      `import * as ${name}Lite from '${specifier}/lite';`,
    ]),
    '',
    '/** The codecs of each variant, by its specifier without the scope. */',
    'export const variants: Readonly<Record<string, { readonly full: Codec; readonly lite: Codec }>> = {',
    ...names.map(entry),
    '};',
    '',
  ].join('\n');
}

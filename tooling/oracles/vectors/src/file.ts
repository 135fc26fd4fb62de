/** Creates the published files. */
import type {
  Aspect,
  Expectation,
  Variant,
  VectorFile,
} from '../../../../packages/vectors/src/index.js';
import { type Case, toHex } from './case.js';
import type { Confirmation } from './confirmation.js';
import { computeExpectation } from './expectation.js';
import { names } from './variant.js';

export const generatedBy = 'npm run generate -- vectors';

const aspects: readonly Aspect[] = [
  'result',
  'offset',
  'length',
  'incomplete',
  'maximalSubparts',
  'java',
  'perByte',
];

/** Combines computed values with confirmations. */
export function createFile(
  cases: readonly Case[],
  implementations: VectorFile['implementations'],
  confirmations: readonly Confirmation[],
): VectorFile {
  checkDistinct(cases);
  const byCase = new Map<string, Confirmation[]>();
  for (const confirmation of confirmations) {
    const key = `${confirmation.id} ${confirmation.variant}`;
    byCase.set(key, [...(byCase.get(key) ?? []), confirmation]);
  }
  const read = (id: string, variant: Variant, bytes: Uint8Array): Expectation => {
    const said = byCase.get(`${id} ${variant}`) ?? [];
    const confirmedBy = aspects.flatMap((aspect) => {
      const by = said.filter(({ confirms }) => confirms.includes(aspect)).map(({ by }) => by);
      return by.length > 0 ? [[aspect, by] as const] : [];
    });
    const differs = said.flatMap((confirmation) => confirmation.differs);
    return {
      ...computeExpectation(variant, bytes),
      confirmedBy: Object.fromEntries(confirmedBy),
      ...(differs.length > 0 && { differs }),
    };
  };
  return {
    $schema: '../schema.json',
    format: 1,
    generatedBy,
    implementations,
    vectors: cases.map(({ id, bytes, description }) => ({
      id,
      bytes: toHex(bytes),
      description,
      variants: Object.fromEntries(
        names.map((variant) => [variant, read(id, variant, bytes)]),
      ) as Record<Variant, Expectation>,
    })),
  };
}

function checkDistinct(cases: readonly Case[]): void {
  const seen = new Map<string, string>();
  for (const { id, bytes } of cases) {
    for (const key of [id, `bytes ${toHex(bytes)}`]) {
      const other = seen.get(key);
      if (other)
        throw new Error(
          `${id} and ${other} have the same ${key.startsWith('bytes') ? 'bytes' : 'id'}`,
        );
      seen.set(key, id);
    }
  }
}

/** Formats JSON with a line for each variant of each vector, so that changes are visible in review. */
export function printJson({ vectors, ...head }: VectorFile): string {
  const start = JSON.stringify(head, null, 2).replace(/\n\}$/, '');
  const lines = vectors.map(({ id, bytes, description, variants }) => {
    const expectations = Object.entries(variants).map(
      ([variant, expectation]) =>
        `        ${JSON.stringify(variant)}: ${JSON.stringify(expectation)}`,
    );
    return [
      '    {',
      `      "id": ${JSON.stringify(id)},`,
      `      "bytes": ${JSON.stringify(bytes)},`,
      `      "description": ${JSON.stringify(description)},`,
      '      "variants": {',
      expectations.join(',\n'),
      '      }',
      '    }',
    ].join('\n');
  });
  return `${start},\n  "vectors": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

const columns = [
  'id',
  'variant',
  'result',
  'offset',
  'length',
  'reason',
  'incomplete',
  'maximal-subparts',
  'java',
  'per-byte',
  'text',
];

/** Formats a line for each variant of each vector: tab-separated, `-` for an empty column. */
export function printIndex({ vectors }: VectorFile): string {
  const lines = vectors.flatMap(({ id, variants }) =>
    Object.entries(variants).map(([variant, { accepts, fault, replacements, text }]) =>
      [
        id,
        variant,
        accepts ? 'accept' : 'reject',
        fault?.offset ?? '-',
        fault?.length ?? '-',
        fault?.reason ?? '-',
        fault ? (fault.incomplete ? 'yes' : 'no') : '-',
        replacements.maximalSubparts,
        replacements.java ?? '-',
        replacements.perByte,
        text.map((value) => value.toString(16).toUpperCase().padStart(4, '0')).join(' ') || '-',
      ].join('\t'),
    ),
  );
  return `# Made by ${generatedBy}\n# ${columns.join('\t')}\n${lines.join('\n')}\n`;
}

/** Values of JSON and XML that nothing declares as such. */
import { formatBytes } from '@utf8/core';
import { createRepairer, type Finding, hasExcludedReference, hasUnitEscape } from '@utf8/repair';
import type { Field, Format } from '../format/format.js';
import { BACKSLASH, bytesOf, viewOf } from '../format/shared/ascii.js';
import { mayHideXml } from '../format/shared/value-columns.js';
import type { FindingList } from './inspected.js';
import type { InspectedPiece } from './inspected-piece.js';

/** A syntax that a text may have. */
interface Undeclared {
  readonly kind: 'undeclared-json' | 'undeclared-xml';
  readonly structure: { readonly is: 'json' | 'xml' };
  /** Pattern of the start of such texts. */
  readonly start: RegExp;
  /** Tells whether bytes may contain text that JSON or XML refuses. */
  readonly mayBeRefused: (bytes: Uint8Array) => boolean;
  /** Tells whether a finding is one that matters although nothing declares the syntax. */
  readonly isRefused: (finding: Finding, text: Uint8Array) => boolean;
}

const XML_START = bytesOf('<?xml');
const AMPERSAND = 0x26;

/**
 * Tells whether bytes may contain XML that no parser of XML accepts. Controls are looked for only where XML declares
 * itself.
 */
export const hasXmlFault = (bytes: Uint8Array): boolean =>
  hasExcludedReference(bytes) || (viewOf(bytes).includes(XML_START) && mayHideXml(bytes));

const all: readonly Undeclared[] = [
  {
    kind: 'undeclared-json',
    structure: { is: 'json' },
    start: /^\s*[[{]/,
    mayBeRefused: (bytes) => hasUnitEscape(bytes),
    // Escapes of U+0000 and of unpaired surrogates, which jsonb refuses.
    isRefused: ({ offset, length }, text) =>
      text.subarray(offset, offset + length).includes(BACKSLASH),
  },
  {
    kind: 'undeclared-xml',
    structure: { is: 'xml' },
    start: /^\s*</,
    mayBeRefused: hasXmlFault,
    isRefused: ({ offset, kind }, text) => kind === 'control' || text[offset] === AMPERSAND,
  },
];

/** Adds text of a record that parsers refuse. */
export function addUndeclared(
  at: InspectedPiece,
  list: FindingList,
  format: Format,
  record: Uint8Array,
): void {
  for (const undeclared of all) {
    const { kind, mayBeRefused } = undeclared;
    if (!mayBeRefused(record)) continue;
    for (const field of at.piece.fields) {
      if (field.kind !== 'text' || field.structure || format.structureOf?.(field, at.piece.table)) {
        continue;
      }
      const text = at.textOf(field);
      if (!mayBeRefused(text)) continue;
      for (const { offset, length } of findRefused(undeclared, format, at.bytes, field)) {
        if (!list.count(kind, field)) continue;
        const bytes = formatBytes(text.subarray(offset, offset + length));
        list.add(field, field.start + offset, { kind, bytes });
      }
    }
  }
}

/** Policies under which only what jsonb and XML refuse is refused. */
const valueRepairer = createRepairer({ from: 'wtf-8', to: 'wtf-8', equalJsonKeys: 'keep' });

function findRefused(
  { structure, start, isRefused }: Undeclared,
  format: Format,
  bytes: Uint8Array,
  field: Field,
): Finding[] {
  const value = format.readValue(bytes, field);
  if (!start.test(viewOf(value).toString('latin1', 0, 100))) return [];
  const syntax = format.syntaxOf?.(bytes, field);
  const text = bytes.subarray(field.start, field.end);
  const syntaxes = syntax ? [syntax] : [];
  const { findings } = valueRepairer(text, { escapes: false, value: { syntaxes, structure } });
  return findings.filter((finding) => isRefused(finding, text));
}

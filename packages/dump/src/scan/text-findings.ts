/** Findings about the text of fields. */
import { formatBytes, formatCodePoint } from '@utf8/core';
import { type Finding, findUnassigned } from '@utf8/repair';
import type { Field } from '../format/format.js';
import type { Stretch } from '../rewrite/stretch.js';
import type { FindingList } from './inspected.js';
import type { InspectedPiece } from './inspected-piece.js';

/** Adds repairs of the fields of a piece, and suggestions. */
export function addTexts(at: InspectedPiece, list: FindingList, keepsNoncharacters: boolean): void {
  for (const [field, { findings }] of at.repairs) addText(at, list, field, findings);
  for (const [field, { findings }] of at.doubts) addDoubt(at, list, field, findings);
  for (const [field, findings] of at.suggestions) addText(at, list, field, findings);
  if (!at.isKept) return;
  for (const field of at.suspects) addUnassigned(at, list, field, keepsNoncharacters);
}

/** Adds what transcoding does to the fields of a piece, given the fields that contain the changes. */
export function addTranscoded(
  { piece }: InspectedPiece,
  list: FindingList,
  stretch: Stretch,
): void {
  let number = 0;
  for (const field of piece.fields) {
    for (; number < stretch.count && stretch.indexOf(number) < field.end; number++) {
      const kind = stretch.kindOf(number);
      if (!list.count(kind, field)) continue;
      const [bytes, becomes] = stretch.bytesOf(number).map(formatBytes) as [string, string];
      const more = { reason: undefined, isAlreadyWrong: undefined };
      list.add(field, stretch.indexOf(number), { kind, bytes, becomes, ...more });
    }
  }
}

function addText(
  { piece, bytes }: InspectedPiece,
  list: FindingList,
  field: Field,
  findings: readonly Finding[],
): void {
  for (const finding of findings) {
    const { offset, length, kind, becomes, reason, isAlreadyWrong, through } = finding;
    const at = field.start + offset;
    if (!becomes && piece.kind !== 'record') list.found.outside++;
    // A repair keeps these.
    if (kind === 'unassigned' || !list.count(kind, field)) continue;
    const evidence = formatBytes(bytes.subarray(at, at + length));
    const result = becomes ? formatBytes(becomes) : null;
    if (kind === 'noncharacter') list.add(field, at, { kind, bytes: evidence, becomes: result });
    else {
      const more = { ...(through && { through }), isAlreadyWrong };
      list.add(field, at, { kind, bytes: evidence, becomes: result, reason, ...more });
    }
  }
}

function addDoubt(
  { bytes }: InspectedPiece,
  list: FindingList,
  field: Field,
  findings: readonly Finding[],
): void {
  const kind = 'text-or-binary';
  list.addHazard(kind);
  if (!list.count(kind, field)) return;
  const { offset, length } = findings.find((each) => each.kind !== 'inner-length') as Finding;
  const at = field.start + offset;
  list.add(field, at, { kind, bytes: formatBytes(bytes.subarray(at, at + length)) });
}

function addUnassigned(
  at: InspectedPiece,
  list: FindingList,
  field: Field,
  keepsNoncharacters: boolean,
): void {
  const text = at.textOf(field);
  for (const { offset, length, codePoint, kind } of findUnassigned(text)) {
    // Otherwise the repair has found it.
    const isKept = kind === 'unassigned' || keepsNoncharacters;
    if (!isKept || !list.count(kind, field)) continue;
    const bytes = formatBytes(text.subarray(offset, offset + length));
    list.add(field, field.start + offset, { kind, bytes, character: formatCodePoint(codePoint) });
  }
}

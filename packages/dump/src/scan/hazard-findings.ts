/** Findings about declarations and lengths: text that a server, or a column of the target, would lose. */
import { isAscii } from 'node:buffer';
import { formatBytes } from '@utf8/core';
import type { Repair } from '@utf8/repair';
import type { Field, FormatOptions } from '../format/format.js';
import { mayLack } from '../format/sql/look.js';
import {
  describeLimit,
  encodingOf,
  type FoundHazard,
  findDeclaration,
  findHazard,
  findMisread,
} from '../load/hazard.js';
import type { RecordRepairer } from '../repair/record-repairer.js';
import type { Limit } from './column.js';
import type { DeclaredCounts, FindingList } from './inspected.js';
import type { InspectedPiece } from './inspected-piece.js';

/** Records a text for which the dump declares another encoding than UTF-8. */
function noteDeclared({ found }: FindingList, charset: string, line: number): DeclaredCounts {
  found.declared ??= { charset, line, malformed: 0, others: 0 };
  return found.declared;
}

/** Records whether a refused text is valid as declared. */
export function noteEncoding(
  at: InspectedPiece,
  list: FindingList,
  { format }: RecordRepairer,
  field: Field,
  { findings }: Repair,
): void {
  const charset = encodingOf(format, at.piece, field);
  if (charset === undefined || field.kind === 'unknown') return;
  const noted = noteDeclared(list, charset, findDeclaration(charset, at.piece, field) ?? 0);
  const malformed = findings.filter(({ reason, becomes }) => reason && !becomes).length;
  noted.malformed += malformed;
  const isText = !isAscii(field.isHex ? format.readValue(at.bytes, field) : at.textOf(field));
  if (malformed === 0 && isText) noted.others++;
}

/** Tells whether the option `fixHeader` removes a hazard: not from the server's dictionary, nor from a schema file. */
function isFixable(
  { kind, charset }: FoundHazard,
  { declared }: Field,
  { fixHeader, schema }: FormatOptions,
): boolean {
  if (fixHeader === true) return false;
  if (kind !== 'narrow-column') return kind.endsWith('-encoding') || kind === 'narrow-connection';
  return schema === undefined && charset !== 'swe7' && (declared?.line ?? 0) > 0;
}

/** Adds the text of a piece that a server would lose. */
export function addHazards(
  at: InspectedPiece,
  list: FindingList,
  { format, policies: { errors } }: RecordRepairer,
  options: FormatOptions,
): void {
  const { piece, bytes } = at;
  const { reach = 'all', start, end } = piece;
  const mayLose = at.isHidden || mayLack(reach, bytes.subarray(start, end));
  if (at.repairs.size === 0 && !mayLose) return;
  for (const field of piece.fields) {
    if (field.kind === 'opaque') continue;
    const repair = at.repairs.get(field);
    const misread = repair && findMisread(format, piece, field, repair, errors);
    const result = misread ? undefined : repair?.bytes;
    const hazard = misread ?? findHazard(format, bytes, piece, field, result);
    if (!hazard) continue;
    const { kind, index, length } = hazard;
    if (kind === 'unstated-encoding') {
      // Of the whole dump.
      list.found.isUnstated = true;
      continue;
    }
    if (!isFixable(hazard, field, options)) list.addHazard(kind);
    if (!list.count(kind, field)) continue;
    if (kind === 'too-long') {
      const before = format.readValue(bytes, field);
      const after = format.readValue(bytes, field, result);
      list.add(field, field.start, { kind, ...describeLimit(field, before, after) });
      continue;
    }
    const evidence = formatBytes((result ?? at.textOf(field)).subarray(index, index + length));
    if (kind === 'partition-key') {
      list.add(field, field.start, { kind, bytes: evidence });
      continue;
    }
    const { charset = '' } = hazard;
    const declared = findDeclaration(charset, piece, field) ?? 0;
    if (kind === 'declared-encoding') noteDeclared(list, charset, declared).others++;
    const offset = field.start + (result ? 0 : index);
    list.add(field, offset, { kind, bytes: evidence, charset, declared });
  }
}

/** Adds values that exceed a limit of the options. */
export function addExcesses(
  { piece, bytes, repairs }: InspectedPiece,
  list: FindingList,
  { format, from, to }: RecordRepairer,
  limits: readonly Limit[],
): void {
  for (const field of piece.fields) {
    for (const { column, most, text: limit, measure } of limits) {
      if (field.kind === 'opaque' || !column.matches(field, piece.table)) continue;
      const repaired = repairs.get(field)?.bytes;
      // A value has at most as many bytes as its text in the dump, and as many characters as bytes.
      if (Math.max(field.end - field.start, repaired?.length ?? 0) <= most) continue;
      const after = measure(format.readValue(bytes, field, repaired), to);
      if (after <= most || !list.count('too-long', field)) continue;
      const before = measure(format.readValue(bytes, field), from);
      list.add(field, field.start, { kind: 'too-long', limit, before, after });
    }
  }
}

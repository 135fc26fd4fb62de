/** One row: its changes, its refused values, and the hazards that the catalogue alone shows. */
import type { Finding, Repair, Repairer } from '@utf8/repair';
import type { Change, Row } from '../server/server.js';
import { hasShapeOfUtf8 } from '../server/shape.js';
import type { Key, Table, TextColumn } from '../server/table.js';
import type { FoundHazard } from './hazard.js';

/** A value that a repair changes or refuses. */
export interface JudgedValue {
  readonly column: TextColumn;
  readonly old: Uint8Array;
  readonly repair: Repair;
}

/** A row with such values. */
export interface Judgement {
  readonly key: Key;
  readonly values: readonly JudgedValue[];
  /** The values that are not refused. */
  readonly changes: readonly Change[];
  readonly hazards: readonly FoundHazard[];
}

/** Judges a row; undefined if it stays unchanged. */
export type Judge = (row: Row) => Judgement | undefined;

/** Creates the judge of the rows of a table, from the columns that are read. */
export function createJudge(
  repairer: Repairer,
  table: Table,
  columns: readonly TextColumn[],
): Judge {
  const spelled = columns.map(({ structure }) =>
    structure ? { syntaxes: [], structure } : undefined,
  );
  return ({ key, values }) => {
    let judged: JudgedValue[] | undefined;
    for (let i = 0; i < columns.length; i++) {
      const old = values[i];
      if (!old) continue;
      const { legacy } = columns[i] as TextColumn;
      const repair =
        legacy && !hasShapeOfUtf8(old)
          ? decodeLegacy(old, legacy)
          : repairer(old, { value: spelled[i] });
      if (repair.status === 'unchanged') continue;
      judged ??= [];
      judged.push({ column: columns[i] as TextColumn, old, repair });
    }
    return judged && judgeRow(table, key, judged);
  };
}

/** Encodes text of a legacy character set as UTF-8 regardless of the policies, since it is well-formed there. */
function decodeLegacy(old: Uint8Array, characters: readonly string[]): Repair {
  const findings: Finding[] = [];
  const parts: Uint8Array[] = [];
  for (const [offset, byte] of old.entries()) {
    if (byte < 0x80) {
      parts.push(old.subarray(offset, offset + 1));
      continue;
    }
    const character = characters[byte - 0x80];
    const becomes = character ? Buffer.from(character) : undefined;
    findings.push({
      offset,
      length: 1,
      kind: 'legacy-byte',
      reason: undefined,
      becomes,
    } as Finding);
    parts.push(becomes ?? old.subarray(offset, offset + 1));
  }
  const isRefused = findings.some(({ becomes }) => !becomes);
  return { status: isRefused ? 'rejected' : 'changed', bytes: Buffer.concat(parts), findings };
}

function judgeRow(table: Table, key: Key, values: readonly JudgedValue[]): Judgement {
  const changes: Change[] = [];
  const hazards: FoundHazard[] = [];
  for (const { column, old, repair } of values) {
    if (repair.status === 'rejected') {
      const kinds = new Set(
        repair.findings.flatMap(({ kind, becomes }) => (becomes ? [] : [kind])),
      );
      hazards.push({ hazard: 'refused', name: [...kinds].join(', '), column: column.name });
      continue;
    }
    const change = { column, old, new: repair.bytes };
    changes.push(change);
    hazards.push(...judgeChange(change));
  }
  if (changes.length > 0) hazards.push(...judgeTable(table));
  return { key, values, changes, hazards };
}

/** Finds the hazards of a change that the column alone shows. */
export function judgeChange({ column, old, new: bytes }: Change): FoundHazard[] {
  const { name, type, narrowness } = column;
  const hazards: FoundHazard[] = [];
  if (isTooLong(column, old, bytes)) hazards.push({ hazard: 'too-long', name: type, column: name });
  if (narrowness && findLongest(bytes) > (narrowness.characterBytes ?? 0)) {
    const { why, statement } = narrowness;
    hazards.push({ hazard: 'narrow-column', name: `${why}: ${statement}`, column: name });
  }
  return hazards;
}

/** Finds the hazards that every changed row of a table has. */
export function judgeTable({ key, effects, refusal, name: table }: Table): FoundHazard[] {
  const found: FoundHazard[] = effects.map(({ kind, name }) => ({
    hazard: kind,
    name,
    column: undefined,
  }));
  if (refusal) found.push({ hazard: 'refused', name: refusal, column: undefined, isFinal: true });
  if (key) return found;
  return [...found, { hazard: 'no-key', name: table, column: undefined, isFinal: true }];
}

/** Tells whether a value exceeds the limit of its column. A value that becomes shorter always fits. */
export function isTooLong(
  { characters, bytes: most }: TextColumn,
  old: Uint8Array,
  bytes: Uint8Array,
): boolean {
  if (most !== undefined && bytes.length > most && bytes.length > old.length) return true;
  if (characters === undefined || bytes.length <= characters) return false;
  const count = countCharacters(bytes);
  return count > characters && count > countCharacters(old);
}

/** Counts characters as servers do: every byte that continues none. */
function countCharacters(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if ((byte & 0b1100_0000) !== 0b1000_0000) count++;
  return count;
}

/** The bytes of the longest character: 11110... begins four. */
function findLongest(bytes: Uint8Array): number {
  let longest = 0;
  for (const byte of bytes) {
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    if (length > longest) longest = length;
  }
  return longest;
}

/** The first look at the pieces of files: all that is found without looking at other records. */
import { formatBytes } from '@utf8/core';
import type { Format, Piece } from '../formats/format.js';
import type { Flaw } from '../repair/flaw.js';
import type { RepairOptions } from '../repair/options.js';
import type { Repairer } from '../repair/repairer.js';
import type { Collisions } from './collisions.js';
import { markSeen } from './column.js';
import { type Change, examine } from './examine.js';
import type { Finding, Key } from './finding.js';
import { type KeyReader, packKey } from './key.js';
import type { Limits } from './limit.js';
import { findStray } from './plane.js';
import { findBroken, locatePrefix, mayHavePrefix } from './prefix.js';
import { locate, type Spot } from './spot.js';
import type { Stretch } from './stretches.js';
import { readValue } from './value.js';

/** What pieces are looked at with. */
export interface Tools {
  readonly format: Format;
  readonly options: RepairOptions;
  readonly repairer: Repairer;
  readonly keys: KeyReader;
  readonly limits: Limits;
  readonly collisions: Collisions;
}

/** What would become of a piece. */
export type Fate = 'same' | 'changed' | 'rejected';

/** Looks at pieces, one after the other. */
export class Inspector {
  readonly #tools: Tools;
  readonly #report: (finding: Finding) => void;

  /** @param report - Is told of each finding. */
  constructor(tools: Tools, report: (finding: Finding) => void) {
    this.#tools = tools;
    this.#report = report;
  }

  inspect(file: string, stretch: Stretch, piece: Piece): Fate {
    const { repairer, limits, keys } = this.#tools;
    if (piece.kind === 'record') {
      for (const { unseen } of [keys, limits]) if (unseen.size > 0) markSeen(unseen, piece);
    }
    const examined = examine(stretch, piece, repairer);
    const { changes, isRefused } = examined;
    const isRecord = piece.kind === 'record';
    if (changes.length === 0 && (!isRecord || !limits.isAsked)) return 'same';
    const spot = { file, stretch, piece, examined };
    const key = isRecord && changes.length > 0 ? this.#takeKey(spot) : undefined;
    for (const change of changes) {
      for (const flaw of change.flaws) this.#reportFlaw(spot, change, flaw, key);
      if (isRecord && !isRefused) this.#inspectPrefixes(spot, change, key);
    }
    if (isRecord && !isRefused) this.#inspectLimits(spot, key);
    if (isRefused) return 'rejected';
    return changes.length > 0 ? 'changed' : 'same';
  }

  /** Reads the key of a record that would change, and announces it where it would change itself. */
  #takeKey(spot: Spot): Key | undefined {
    const { keys, format, collisions, options } = this.#tools;
    if (!keys.isAsked) return undefined;
    const { before, after } = keys.read(spot, format);
    const packed = spot.examined.isRefused ? undefined : packKey(spot.piece.table, after);
    if (packed && !packKey(spot.piece.table, before)?.equals(packed)) collisions.announce(packed);
    return keys.describe(before, options.from.codec);
  }

  #reportFlaw(spot: Spot, { field }: Change, flaw: Flaw, key: Key | undefined): void {
    const { offset, length, kind, becomes, reason } = flaw;
    const at = field.start + offset;
    const place = locate(spot, field, at, key);
    this.#report({
      ...place,
      kind,
      bytes: formatBytes(spot.stretch.bytes.subarray(at, at + length)),
      becomes: becomes ? formatBytes(becomes) : null,
      reason,
    });
    if (spot.piece.kind !== 'record' || spot.examined.isRefused) return;
    const stray = findStray(flaw, this.#tools.options.to.codec);
    if (stray) this.#report({ ...place, kind: 'unassigned plane', ...stray });
  }

  #inspectPrefixes(spot: Spot, { field, bytes: text }: Change, key: Key | undefined): void {
    const { bytes } = spot.stretch;
    const original = bytes.subarray(field.start, field.end);
    if (!mayHavePrefix(original)) return;
    const { name } = this.#tools.format;
    const before = readValue(name, bytes, field);
    const after = readValue(name, bytes, field, text);
    for (const [number, prefix] of findBroken(before, after)) {
      const at = field.start + locatePrefix(original, number);
      this.#report({ ...locate(spot, field, at, key), kind: 'length prefix', prefix });
    }
  }

  #inspectLimits(spot: Spot, known: Key | undefined): void {
    const { limits, keys, format, options } = this.#tools;
    for (const excess of limits.find(spot, format, options)) {
      const { field, limit, before, after } = excess;
      const key = known ?? keys.describeOf(spot, format, options.from.codec);
      const place = locate(spot, field, field.start, key);
      this.#report({ ...place, kind: 'over the limit', limit: limit.text, before, after });
    }
  }
}

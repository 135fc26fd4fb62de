/** Repairs the texts in a value, and spells what replaces them for every syntax that they stand in. */
import { readCodePoint } from '@utf8/detect/internal';
import { splitArray } from './array.js';
import { splitComposite } from './composite.js';
import { findEqualKeys, type ObjectKey } from './equal-keys.js';
import { Finder } from './finder.js';
import { applyFindings, type Finding, hasRemoved, type Repair } from './finding.js';
import { splitHstore } from './hstore.js';
import { splitJson } from './json.js';
import type { Kind } from './kind.js';
import { settleLegacyBytes } from './legacy-byte.js';
import { addMojibake } from './mojibake.js';
import { hasSurrogates, plain, type Settings } from './options.js';
import type { Part } from './part.js';
import { asciiOf, type Spelling, spell, Unspelled, unspell } from './spelling.js';
import type { ValueSyntax } from './value-syntax.js';

/** A replacement or, without a kind, quotes that it requires. */
interface Edit extends Omit<Finding, 'kind'> {
  readonly kind: Kind | undefined;
  /** The surrogate that the next spelling spells, since the target has none. */
  readonly unit?: number | undefined;
}

/** Thrown if the result would be read as something else. */
class Unsafe extends Error {}

/** What differs between spellings of a character, and not between characters. */
const SPELLINGS: ReadonlySet<Kind> = new Set<Kind>([
  'pair',
  'four-byte form',
  'overlong',
  'legacy byte',
  'mojibake',
  'other',
]);

/** A quotation mark. */
const QUOTE = Uint8Array.of(0x22);

/** Repairs values. */
export class ValueRepairer {
  readonly #settings: Settings;
  readonly #finder: Finder;
  /** Refuses what JSON keeps by an escape. */
  readonly #unitFinder: Finder;
  /** False to replace by U+FFFD what a policy removes. */
  #removes = true;

  constructor(settings: Settings) {
    this.#settings = settings;
    const { unpairedSurrogates } = settings;
    this.#finder = new Finder({ ...settings, syntax: plain });
    this.#unitFinder =
      unpairedSurrogates === 'keep'
        ? new Finder({ ...settings, syntax: plain, unpairedSurrogates: 'fail' })
        : this.#finder;
  }

  /**
   * Repairs a value. If the result would not be read as it is meant, as when the parts of an escape are
   * joined, U+FFFD takes the place of what a policy removes; if that does not help, all is refused.
   *
   * @param layers - The spellings that the value stands in, the outermost first.
   * @param isSafe - Tells whether a result is read as it is meant where the value stands.
   */
  repair(
    bytes: Uint8Array,
    layers: readonly Spelling[],
    syntax: ValueSyntax | undefined,
    isSafe: (result: Repair) => boolean,
  ): Repair {
    for (const removes of [true, false]) {
      this.#removes = removes;
      try {
        const result = this.#attempt(bytes, layers, syntax);
        const isDoubtful = removes && result.status === 'changed' && hasRemoved(result);
        if (!isDoubtful || isSafe(result)) return result;
      } catch (error) {
        if (!(error instanceof Unsafe)) throw error;
      }
    }
    const edits = this.#find(bytes, layers, syntax);
    const findings = toFindings(edits).map((finding) => ({ ...finding, becomes: undefined }));
    return { status: 'rejected', bytes, findings };
  }

  #attempt(
    bytes: Uint8Array,
    layers: readonly Spelling[],
    syntax: ValueSyntax | undefined,
  ): Repair {
    const edits = this.#find(bytes, layers, syntax, true);
    // Quotes that cannot be written.
    if (edits.some(({ kind, becomes }) => !kind && !becomes)) throw new Unsafe();
    if (edits.length === 0) return { status: 'unchanged', bytes, findings: [] };
    const findings = toFindings(edits);
    const isRejected = findings.some(({ becomes }) => !becomes);
    const status = isRejected ? 'rejected' : 'changed';
    return { status, bytes: applyFindings(bytes, edits), findings };
  }

  /** @param checks - Whether to read each result again. */
  #find(
    bytes: Uint8Array,
    layers: readonly Spelling[],
    syntax: ValueSyntax | undefined,
    checks = false,
  ): Edit[] {
    const [spelling, ...inner] = layers;
    if (!spelling) return this.#visit(new Unspelled(bytes), undefined, syntax, checks);
    const level = unspell(bytes, spelling);
    const last = inner.length === 0;
    const edits = last
      ? this.#visit(level, spelling, syntax, checks)
      : this.#find(level.bytes, inner, syntax, checks);
    const moved = move(edits, level, spelling, 0);
    if (checks && edits.length > 0) {
      const result = unspell(applyFindings(bytes, moved), spelling).bytes;
      check(result, applyFindings(level.bytes, withRefusals(edits, moved)));
    }
    return moved;
  }

  #visit(
    level: Unspelled,
    spelling: Spelling | undefined,
    syntax: ValueSyntax | undefined,
    checks: boolean,
  ): Edit[] {
    if (!syntax) return this.#findInText(level, spelling, false);
    const { bytes } = level;
    const parts = split(bytes, syntax);
    if (!parts) return this.#findInText(level, spelling, true);
    const edits: Edit[] = [];
    const keys: (ObjectKey & { readonly part: Part })[] = [];
    const texts: Uint8Array[] = [];
    for (const part of parts) {
      const inner = unspell(bytes.subarray(part.start, part.end), part.spelling);
      const found = this.#visit(inner, part.spelling, part.syntax, checks);
      const moved = move(found, inner, part.spelling, part.start);
      const before = inner.bytes;
      const after = found.length > 0 ? applyFindings(before, withRefusals(found, moved)) : before;
      if (found.length > 0) {
        const isBare = part.needsQuotes?.(after) ?? false;
        if (isBare) edits.push(insertQuote(part.start));
        for (const edit of moved) edits.push(edit);
        if (isBare) edits.push(insertQuote(part.end));
      }
      texts.push(after);
      const { owner } = part;
      if (owner !== undefined) keys.push({ owner, before, after, part });
    }
    if (edits.length === 0) return edits;
    if (checks) {
      const result = applyFindings(bytes, edits);
      checkParts(result, split(result, syntax), texts);
    }
    if (this.#settings.equalJsonKeys === 'fail' && keys.some(isChanged)) {
      for (const i of findEqualKeys(keys)) {
        const { start, end } = (keys[i] as (typeof keys)[number]).part;
        edits.push({
          offset: start,
          length: end - start,
          kind: 'equal JSON keys',
          reason: undefined,
          becomes: undefined,
        });
      }
      edits.sort((a, b) => a.offset - b.offset);
    }
    return edits;
  }

  /**
   * Finds what does not stay as it is in a plain text.
   *
   * @param isUnread - Whether it was to have a syntax, and is malformed. Nothing but characters above
   *   U+007F is then written, which mean the same in every syntax.
   */
  #findInText(level: Unspelled, spelling: Spelling | undefined, isUnread: boolean): Edit[] {
    const { unpairedSurrogates, nul, to } = this.#settings;
    const hasUnits = spelling?.spellUnit !== undefined;
    const keepsUnits = unpairedSurrogates === 'keep';
    // What neither the target nor the spelling has is refused.
    const finder = hasUnits || !hasSurrogates(to) ? this.#unitFinder : this.#finder;
    const edits: Edit[] = [];
    const { errors, mojibake } = this.#settings;
    const found = settleLegacyBytes(
      level.bytes,
      finder.find(level.bytes, false, this.#removes),
      errors,
    );
    for (const finding of mojibake === 'repair' ? addMojibake(level.bytes, found, to) : found) {
      const { offset, length, kind } = finding;
      const isUnit = kind === 'unpaired surrogate';
      const keepsThis = isUnit ? keepsUnits : kind === 'nul' && nul === 'keep';
      const isByNumber = level.isByNumber(offset, offset + length);
      if (isByNumber && (SPELLINGS.has(kind) || keepsThis)) continue;
      let { becomes } = finding;
      let unit: number | undefined;
      if (isUnit && keepsUnits && hasUnits) {
        if (hasSurrogates(to)) continue;
        unit = readCodePoint(level.bytes, offset, length);
        becomes = level.bytes.slice(offset, offset + length);
      }
      if (isUnread && !isAboveAscii(becomes)) becomes = undefined;
      edits.push({ ...finding, becomes, unit });
    }
    return edits;
  }
}

const isChanged = ({ before, after }: ObjectKey): boolean => before !== after;

const isAboveAscii = (bytes: Uint8Array | undefined): boolean =>
  bytes !== undefined && bytes.length > 0 && bytes.every((byte) => byte >= 0x80);

/** Splits a value into the texts in it; undefined if it is malformed. */
function split(bytes: Uint8Array, syntax: ValueSyntax): Part[] | undefined {
  switch (syntax.is) {
    case 'json':
      return splitJson(bytes);
    case 'hstore':
      return splitHstore(bytes);
    case 'array':
      return splitArray(bytes, syntax.of);
    case 'composite':
      return splitComposite(bytes, syntax.of);
  }
}

const insertQuote = (offset: number): Edit => ({
  offset,
  length: 0,
  kind: undefined,
  reason: undefined,
  becomes: QUOTE,
});

/** Spells edits of a text where it stands, and moves them there. */
function move(edits: readonly Edit[], level: Unspelled, spelling: Spelling, base: number): Edit[] {
  return edits.map((edit) => {
    const { offset, length, kind, reason, unit } = edit;
    const becomes =
      unit !== undefined && spelling.spellUnit
        ? asciiOf(spelling.spellUnit(unit))
        : edit.becomes && spell(edit.becomes, spelling);
    if (length === 0) {
      const at = base + (offset > 0 ? level.endOf(offset - 1) : 0);
      return { offset: at, length: 0, kind, reason, becomes };
    }
    const start =
      !becomes || (becomes[0] ?? 0) >= 0x80 ? level.startOf(offset) : level.fullStartOf(offset);
    const end = level.endOf(offset + length - 1);
    return { offset: base + start, length: end - start, kind, reason, becomes };
  });
}

/** Returns the edits that were not refused by the spelling that they were moved to. */
const withRefusals = (edits: readonly Edit[], moved: readonly Edit[]): Edit[] =>
  edits.filter((_, i) => moved[i]?.becomes);

/** Checks that a result is read as it is meant. */
function check(result: Uint8Array, meant: Uint8Array): void {
  const isSame = result.length === meant.length && result.every((byte, i) => byte === meant[i]);
  if (!isSame) throw new Unsafe();
}

/** The same for the texts in a value. */
function checkParts(
  result: Uint8Array,
  parts: readonly Part[] | undefined,
  texts: readonly Uint8Array[],
): void {
  if (parts?.length !== texts.length) throw new Unsafe();
  for (const [i, { start, end, spelling }] of parts.entries()) {
    check(unspell(result.subarray(start, end), spelling).bytes, texts[i] as Uint8Array);
  }
}

const toFindings = (edits: readonly Edit[]): Finding[] =>
  edits.flatMap(({ offset, length, kind, reason, becomes }) =>
    kind === undefined ? [] : [{ offset, length, kind, reason, becomes }],
  );

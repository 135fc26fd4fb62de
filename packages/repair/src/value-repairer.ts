/** Repairs the texts in a value, and escapes replacements for every syntax around them. */
import { readCodePoint } from '@utf8/detect/internal';
import { splitArray } from './array.js';
import { splitComposite } from './composite.js';
import { findEqualKeys, type ObjectKey } from './equal-keys.js';
import { Finder } from './finder.js';
import { applyFindings, type Finding, hasRemoved, type Repair } from './finding.js';
import { splitHstore } from './hstore.js';
import { addInnerLengths } from './inner-length.js';
import { splitJson } from './json.js';
import type { Kind } from './kind.js';
import { settleLegacyBytes } from './legacy-byte.js';
import { addMojibake } from './mojibake.js';
import { hasSurrogates, plain, type Settings } from './options.js';
import type { Part } from './part.js';
import type { Structure } from './structure.js';
import { asciiOf, escapeBytes, type Syntax, Unescaped, unescapeBytes } from './syntax.js';
import { findSections, findXmlFaults, type XmlFault } from './xml.js';

/** A replacement or, without a kind, quotes that it requires. */
interface Edit extends Omit<Finding, 'kind'> {
  readonly kind: Kind | undefined;
  /** The surrogate that the next syntax escapes, since the target has none. */
  readonly unit?: number | undefined;
}

/** Thrown if the result would be read as something else. */
class Unsafe extends Error {}

/** Kinds of findings in which only the encoding of a character changes, and not the character. */
const FORMS: ReadonlySet<Kind> = new Set<Kind>([
  'pair',
  'four-byte',
  'overlong',
  'legacy-byte',
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
  /** False to replace bytes with U+FFFD that a policy removes. */
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
   * Repairs a value. If the result would be read as something else, as when the parts of an escape are
   * joined, U+FFFD replaces bytes that a policy removes; if that does not help, everything is refused.
   *
   * @param syntaxes - The syntaxes around the value, the outermost first.
   * @param isSafe - Tells whether a result keeps its meaning in the text around the value.
   */
  repair(
    bytes: Uint8Array,
    syntaxes: readonly Syntax[],
    structure: Structure | undefined,
    isSafe: (result: Repair) => boolean,
  ): Repair {
    for (const removes of [true, false]) {
      this.#removes = removes;
      try {
        const result = this.#attempt(bytes, syntaxes, structure);
        const isDoubtful = removes && result.status === 'changed' && hasRemoved(result);
        if (!isDoubtful || isSafe(result)) return result;
      } catch (error) {
        if (!(error instanceof Unsafe)) throw error;
      }
    }
    const edits = this.#find(bytes, syntaxes, structure);
    const findings = toFindings(edits).map((finding) => ({ ...finding, becomes: undefined }));
    return { status: 'rejected', bytes, findings };
  }

  #attempt(
    bytes: Uint8Array,
    syntaxes: readonly Syntax[],
    structure: Structure | undefined,
  ): Repair {
    const edits = this.#find(bytes, syntaxes, structure, true);
    // Quotes that cannot be written.
    if (edits.some(({ kind, becomes }) => !kind && !becomes)) throw new Unsafe();
    if (edits.length === 0) return { status: 'unchanged', bytes, findings: [] };
    const findings = toFindings(edits);
    const isRejected = findings.some(({ becomes }) => !becomes);
    const status = isRejected ? 'rejected' : 'changed';
    return { status, bytes: applyFindings(bytes, edits), findings };
  }

  /** @param checks - True to read each result again. */
  #find(
    bytes: Uint8Array,
    syntaxes: readonly Syntax[],
    structure: Structure | undefined,
    checks = false,
  ): readonly Edit[] {
    const [syntax, ...inner] = syntaxes;
    if (!syntax) return this.#visit(new Unescaped(bytes), undefined, structure, checks);
    const level = unescapeBytes(bytes, syntax);
    const last = inner.length === 0;
    const edits = last
      ? this.#visit(level, syntax, structure, checks)
      : this.#find(level.bytes, inner, structure, checks);
    const moved = move(edits, level, syntax, 0);
    if (checks && edits.length > 0) {
      const result = unescapeBytes(applyFindings(bytes, moved), syntax).bytes;
      check(result, applyFindings(level.bytes, withRefusals(edits, moved)));
    }
    return moved;
  }

  #visit(
    level: Unescaped,
    syntax: Syntax | undefined,
    structure: Structure | undefined,
    checks: boolean,
  ): readonly Edit[] {
    if (!structure) return this.#findInText(level, syntax, false);
    if (structure.is === 'xml') return this.#findInXml(level, syntax, checks);
    const { bytes } = level;
    const parts = split(bytes, structure);
    if (!parts) return this.#findInText(level, syntax, true);
    const edits: Edit[] = [];
    const keys: (ObjectKey & { readonly part: Part })[] = [];
    const texts: Uint8Array[] = [];
    for (const part of parts) {
      const inner = unescapeBytes(bytes.subarray(part.start, part.end), part.syntax);
      const found = this.#visit(inner, part.syntax, part.structure, checks);
      const moved = move(found, inner, part.syntax, part.start);
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
      checkParts(result, split(result, structure), texts);
    }
    if (this.#settings.equalJsonKeys === 'fail' && keys.some(isChanged)) {
      for (const i of findEqualKeys(keys)) {
        const { start, end } = (keys[i] as (typeof keys)[number]).part;
        edits.push({
          offset: start,
          length: end - start,
          kind: 'equal-json-keys',
          reason: undefined,
          becomes: undefined,
        });
      }
      edits.sort((a, b) => a.offset - b.offset);
    }
    return edits;
  }

  /** Finds the sequences of XML that do not stay unchanged: in its text, and characters that XML excludes. */
  #findInXml(level: Unescaped, syntax: Syntax | undefined, checks: boolean): Edit[] {
    const { bytes } = level;
    const edits = [...this.#findInText(level, syntax, false)];
    const known = new Set(edits.map(({ offset }) => offset));
    const faults = findXmlFaults(bytes);
    let left = faults.length;
    for (const fault of faults) {
      const { offset, length, kind } = fault;
      const becomes = this.#replaceInXml(fault);
      if (becomes) left--;
      // The policy for noncharacters comes before the one for what XML excludes.
      if (becomes === null || known.has(offset)) continue;
      edits.push({ offset, length, kind, reason: undefined, becomes });
    }
    edits.sort((a, b) => a.offset - b.offset);
    if (checks && edits.some(({ becomes }) => becomes?.length === 0)) {
      const result = applyFindings(bytes, edits);
      checkPlaces(findSections(result), findSections(bytes), edits);
      // Without the bytes between them, `&` and `#0;` are a reference.
      if (findXmlFaults(result).length > left) throw new Unsafe();
    }
    return edits;
  }

  /** Returns undefined if the policy refuses what XML excludes, and null if it stays. */
  #replaceInXml({ kind, codePoint, isHex }: XmlFault): Uint8Array | null | undefined {
    const { to, unpairedSurrogates, nul, controls } = this.#settings;
    if (kind === 'pair') {
      return to.encode(isHex ? `&#x${codePoint.toString(16).toUpperCase()};` : `&#${codePoint};`);
    }
    const policies = { 'unpaired-surrogate': unpairedSurrogates, nul, control: controls };
    const policy = policies[kind];
    if (policy === 'fail') return undefined;
    if (policy === 'keep') return null;
    if (policy === 'escape') return to.encode(`\\u${codePoint.toString(16)}`);
    return to.encode(policy === 'remove' && this.#removes ? '' : '\uFFFD');
  }

  /**
   * Finds the sequences of a plain text that do not stay unchanged.
   *
   * @param isUnread - True if it was to have a structure, and is malformed. Nothing but characters above
   *   U+007F is then written, which mean the same in every syntax.
   */
  #findInText(level: Unescaped, syntax: Syntax | undefined, isUnread: boolean): readonly Edit[] {
    const { unpairedSurrogates, nul, to } = this.#settings;
    const hasUnits = syntax?.escapeUnit !== undefined;
    const keepsUnits = unpairedSurrogates === 'keep';
    // Code units that neither the target nor the syntax can represent are refused.
    const finder = hasUnits || !hasSurrogates(to) ? this.#unitFinder : this.#finder;
    const edits: Edit[] = [];
    const { mojibake } = this.#settings;
    const found = settleLegacyBytes(
      level.bytes,
      finder.find(level.bytes, false, this.#removes),
      this.#settings,
    );
    for (const finding of mojibake === 'repair' ? addMojibake(level.bytes, found, to) : found) {
      const { offset, length, kind } = finding;
      const isUnit = kind === 'unpaired-surrogate';
      const keepsThis = isUnit ? keepsUnits : kind === 'nul' && nul === 'keep';
      const isByNumber = level.isByNumber(offset, offset + length);
      if (isByNumber && (FORMS.has(kind) || keepsThis)) continue;
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
    return addInnerLengths<Edit>(level.bytes, edits, this.#settings.innerLengths);
  }
}

const isChanged = ({ before, after }: ObjectKey): boolean => before !== after;

const isAboveAscii = (bytes: Uint8Array | undefined): boolean =>
  bytes !== undefined && bytes.length > 0 && bytes.every((byte) => byte >= 0x80);

/** Splits a value into the texts in it; undefined if it is malformed. */
function split(
  bytes: Uint8Array,
  structure: Exclude<Structure, { is: 'xml' }>,
): Part[] | undefined {
  switch (structure.is) {
    case 'json':
      return splitJson(bytes);
    case 'hstore':
      return splitHstore(bytes);
    case 'array':
      return splitArray(bytes, structure.of);
    case 'composite':
      return splitComposite(bytes, structure.of);
  }
}

const insertQuote = (offset: number): Edit => ({
  offset,
  length: 0,
  kind: undefined,
  reason: undefined,
  becomes: QUOTE,
});

/** Escapes edits of a text where it stands, and moves them there. */
function move(edits: readonly Edit[], level: Unescaped, syntax: Syntax, base: number): Edit[] {
  return edits.map((edit) => {
    const { offset, length, unit, ...what } = edit;
    const becomes =
      unit !== undefined && syntax.escapeUnit
        ? asciiOf(syntax.escapeUnit(unit))
        : edit.becomes && escapeBytes(edit.becomes, syntax);
    if (length === 0) {
      const at = base + (offset > 0 ? level.endOf(offset - 1) : 0);
      return { ...what, offset: at, length: 0, becomes };
    }
    const start =
      !becomes || (becomes[0] ?? 0) >= 0x80 ? level.startOf(offset) : level.fullStartOf(offset);
    const end = level.endOf(offset + length - 1);
    return { ...what, offset: base + start, length: end - start, becomes };
  });
}

/** Returns the edits that were not refused by the syntax that they were moved to. */
const withRefusals = (edits: readonly Edit[], moved: readonly Edit[]): Edit[] =>
  edits.filter((_, i) => moved[i]?.becomes);

/** Checks that a result is read as intended. */
function check(result: Uint8Array, meant: Uint8Array): void {
  const isSame = result.length === meant.length && result.every((byte, i) => byte === meant[i]);
  if (!isSame) throw new Unsafe();
}

/** Checks that edits have moved places, and done nothing else to them. */
function checkPlaces(
  result: readonly number[],
  places: readonly number[],
  edits: readonly Edit[],
): void {
  if (result.length !== places.length) throw new Unsafe();
  let shift = 0;
  let next = 0;
  for (const [i, place] of places.entries()) {
    for (let edit = edits[next]; edit && edit.offset < place; edit = edits[++next]) {
      shift += (edit.becomes?.length ?? edit.length) - edit.length;
    }
    if (result[i] !== place + shift) throw new Unsafe();
  }
}

/** Checks the texts in a value. */
function checkParts(
  result: Uint8Array,
  parts: readonly Part[] | undefined,
  texts: readonly Uint8Array[],
): void {
  if (parts?.length !== texts.length) throw new Unsafe();
  for (const [i, { start, end, syntax }] of parts.entries()) {
    check(unescapeBytes(result.subarray(start, end), syntax).bytes, texts[i] as Uint8Array);
  }
}

const toFindings = (edits: readonly Edit[]): Finding[] =>
  edits.flatMap(({ unit: _, kind, ...rest }) => (kind === undefined ? [] : [{ ...rest, kind }]));

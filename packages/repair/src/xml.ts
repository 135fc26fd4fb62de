/**
 * Characters that no parser of XML accepts, as such or as references.
 *
 * @see https://www.w3.org/TR/xml/ (XML 1.0), section 2.2 for `Char`, and 4.1 for references: one to a
 *   surrogate refers to no character, even next to one to its partner
 */
import { indexOfRun } from './byte-search.js';
import type { Structure } from './structure.js';
import { latinOf } from './syntax.js';

/** The policies for characters that XML excludes. */
export const controlPolicies = ['fail', 'keep', 'replace', 'remove'] as const;

/** A policy for characters that XML excludes. */
export type ControlPolicy = (typeof controlPolicies)[number];

/** Character, or reference to one, that no parser of XML accepts. Indices are in bytes. */
export interface XmlFault {
  readonly offset: number;
  readonly length: number;
  /** `pair` for the references of two surrogates. `nul` and `unpaired-surrogate` are references. */
  readonly kind: 'pair' | 'unpaired-surrogate' | 'nul' | 'control';
  /** The code point; that of a pair is above U+FFFF. */
  readonly codePoint: number;
  /** True if a reference has hexadecimal digits. */
  readonly isHex: boolean;
}

/** Comments, CDATA and processing instructions, in which there are no references. */
const SECTION = String.raw`<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\?[\s\S]*?(?:\?>|$)`;

/** Controls, and U+FFFE and U+FFFF in UTF-8. U+0000 and surrogates are found in every text. */
const EXCLUDED = String.raw`[\x01-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]`;

const sections = new RegExp(SECTION, 'g');
const excluded = new RegExp(EXCLUDED, 'g');
const tokens = new RegExp(`(${SECTION})|&#(?:(\\d+)|x([\\da-fA-F]+));|${EXCLUDED}`, 'g');

const isHigh = (codePoint: number): boolean => codePoint >= 0xd800 && codePoint < 0xdc00;
const isLow = (codePoint: number): boolean => codePoint >= 0xdc00 && codePoint < 0xe000;

/** Returns the kind of a referenced character; undefined if XML has the character. */
function kindOf(codePoint: number): XmlFault['kind'] | undefined {
  if (codePoint === 0) return 'nul';
  if (isHigh(codePoint) || isLow(codePoint)) return 'unpaired-surrogate';
  const isSpace = codePoint === 0x09 || codePoint === 0x0a || codePoint === 0x0d;
  const isControl = codePoint < 0x20 && !isSpace;
  const isOutside = codePoint === 0xfffe || codePoint === 0xffff || codePoint > 0x10ffff;
  return isControl || isOutside ? 'control' : undefined;
}

/** Finds characters and references that no parser accepts, in order. */
export function findXmlFaults(bytes: Uint8Array): XmlFault[] {
  const latin = latinOf(bytes);
  const faults: XmlFault[] = [];
  const add = (offset: number, { length }: string): void => {
    faults.push({
      offset,
      length,
      kind: 'control',
      codePoint: latin.charCodeAt(offset),
      isHex: false,
    });
  };
  for (const { index, 0: text, 1: section, 2: decimal, 3: hex } of latin.matchAll(tokens)) {
    if (section !== undefined) {
      for (const inner of section.matchAll(excluded)) add(index + inner.index, inner[0]);
      continue;
    }
    if (decimal === undefined && hex === undefined) {
      add(index, text);
      continue;
    }
    const codePoint = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    const kind = kindOf(codePoint);
    if (!kind) continue;
    const fault = { offset: index, length: text.length, kind, codePoint, isHex: !decimal };
    const last = faults.at(-1);
    const isPair =
      isLow(codePoint) &&
      last?.kind === 'unpaired-surrogate' &&
      isHigh(last.codePoint) &&
      last.offset + last.length === index;
    if (!isPair) {
      faults.push(fault);
      continue;
    }
    const both = 0x10000 + (last.codePoint - 0xd800) * 0x400 + codePoint - 0xdc00;
    faults[faults.length - 1] = {
      ...last,
      length: last.length + text.length,
      kind: 'pair',
      codePoint: both,
    };
  }
  return faults;
}

/** Finds where comments, CDATA and processing instructions begin and end. */
export const findSections = (bytes: Uint8Array): number[] =>
  [...latinOf(bytes).matchAll(sections)].flatMap(({ index, 0: text }) => [
    index,
    index + text.length,
  ]);

const REFERENCE = Uint8Array.of(0x26, 0x23);

/**
 * Tells whether bytes, a text or a whole file, contain the reference of a surrogate or of another character
 * that XML excludes, such as `&#55357;` or `&#0;`: by native searches.
 *
 * @param bytes - A text, or a whole file of texts.
 * @returns True if there is one, in XML or elsewhere.
 * @example
 * ```ts
 * import { hasExcludedReference } from '@utf8/repair';
 *
 * hasExcludedReference(new TextEncoder().encode('&#55357;&#56838;')); // => true
 * hasExcludedReference(new TextEncoder().encode('&#39;')); // => false
 * ```
 * @see XML 1.0, sections 2.2 and 4.1
 */
export function hasExcludedReference(bytes: Uint8Array): boolean {
  for (let i = indexOfRun(bytes, REFERENCE, 0); i !== -1; i = indexOfRun(bytes, REFERENCE, i + 2)) {
    if (isExcluded(bytes, i)) return true;
  }
  return false;
}

/** Tells whether the reference at an index is that of a character that XML excludes. */
function isExcluded(bytes: Uint8Array, start: number): boolean {
  let i = start + REFERENCE.length;
  const radix = bytes[i] === 0x78 ? 16 : 10;
  if (radix === 16) i++;
  const first = i;
  let codePoint = 0;
  for (; ; i++) {
    const digit = Number.parseInt(String.fromCharCode(bytes[i] ?? 0), radix);
    if (Number.isNaN(digit)) break;
    codePoint = Math.min(codePoint * radix + digit, 0x11_0000);
  }
  return i > first && bytes[i] === 0x3b && kindOf(codePoint) !== undefined;
}

/**
 * Tells whether a value is XML, or contains some.
 *
 * @internal
 */
export const hasXml = (structure: Structure | null | undefined): boolean => {
  switch (structure?.is) {
    case 'xml':
      return true;
    case 'array':
      return hasXml(structure.of);
    case 'composite':
      return structure.of.some(hasXml);
    default:
      return false;
  }
};

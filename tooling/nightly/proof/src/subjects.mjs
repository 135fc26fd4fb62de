/**
 * Subjects of the proof: each function of each kernel that accepts, with the one that converts the accepted
 * input, and the rows that specify both.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../../../packages', import.meta.url));

/**
 * @typedef {object} Sequence A row as the driver reads it: all of its bytes, on both sides of `+`.
 * @property {number} codePoint The first one.
 * @property {readonly { first: number, last: number }[]} ranges
 */

/**
 * @typedef {object} Subject
 * @property {string} name Such as `cesu8 validate, decode`.
 * @property {Uint8Array<ArrayBuffer>} wasm The module as it is published.
 * @property {string} accept
 * @property {string} convert
 * @property {readonly Sequence[]} read Sequences that may be accepted.
 * @property {readonly Sequence[]} refused Sequences that must be refused although their units are accepted.
 * @property {readonly Sequence[] | undefined} written Sequences of the output; UTF-16 if undefined.
 */

const UNICODE = 0x10ffff;

/** The names of the variants, by their specifiers without the scope. */
export const variants = JSON.parse(readFileSync(path.join(packages, 'variants.json'), 'utf8')).map(
  (/** @type {string} */ specifier) => specifier.replace('@utf8/', ''),
);

/** Reads the WebAssembly of a variant where `npm run generate` writes it and builds find it. */
export function readWasm(variant) {
  const [name, ...profile] = variant.split('/');
  const file = path.join(packages, name, 'src/generated', ...profile, 'wasm.ts');
  const [, digits] = /'([0-9a-f]+)'/.exec(readFileSync(file, 'utf8'));
  return Uint8Array.from(Buffer.from(digits, 'hex'));
}

/**
 * Lists the subjects of a variant.
 *
 * @param {string} variant
 * @param {Uint8Array<ArrayBuffer>} [wasm] Another module than the published one.
 * @returns {Promise<Subject[]>}
 */
export async function listSubjects(variant, wasm = readWasm(variant)) {
  const { grammar } = await import(`@utf8/${variant}`);
  const { grammar: utf8 } = await import('@utf8/strict');
  const functions = new Set(
    WebAssembly.Module.exports(new WebAssembly.Module(wasm)).map(({ name }) => name),
  );
  const rows = grammar.rows.flatMap(sequencesOf);
  // No string contains surrogates that are numbers.
  const read = grammar.domain === '31 bits' ? cutSurrogates(rows) : rows;
  const refused = grammar.refused.flatMap(sequencesOf);
  const subject = { wasm, refused: [], written: undefined };
  const subjects = [
    {
      ...subject,
      name: `${variant}: validate, decode`,
      accept: 'validate',
      convert: 'decode',
      read,
      refused,
    },
  ];
  if (functions.has('toUtf8')) {
    subjects.push({
      ...subject,
      name: `${variant}: validate for UTF-8, convert to it`,
      accept: functions.has('validateForUtf8') ? 'validateForUtf8' : 'validate',
      convert: 'toUtf8',
      // Overlong forms would have to become shorter; they are left to loops.
      read: pair(read.filter(isShortest), grammar),
      written: utf8.rows.flatMap(sequencesOf),
    });
  }
  if (functions.has('fromUtf8')) {
    const forms = grammar.rows.filter(({ writes }) => writes);
    const written = pair(forms.flatMap(sequencesOf), grammar);
    subjects.push({
      ...subject,
      name: `${variant}: validate UTF-8, convert from it`,
      accept: 'validateUtf8',
      convert: 'fromUtf8',
      read: utf8.rows.flatMap(sequencesOf).filter((each) => spells(written, each)),
      written,
    });
  }
  return subjects;
}

/**
 * Lists what the kernel of a variant writes. Where it writes pairs in four bytes, it leaves lone surrogates
 * to the loops.
 *
 * @param {string} variant
 * @returns {Promise<Sequence[]>}
 */
export async function listWritten(variant) {
  const { grammar } = await import(`@utf8/${variant}`);
  const written = grammar.rows.filter(({ writes }) => writes).flatMap(sequencesOf);
  const hasFour = written.some(({ ranges }) => ranges.length === 4);
  return hasFour ? cutSurrogates(written) : written;
}

/** The sequences of a row in at most four bytes, or a pair, up to U+10FFFF. */
function sequencesOf({ first, last, units }) {
  const ranges = units.flat();
  if (units.length === 1 && ranges.length > 4) return [];
  if (last <= UNICODE) return [{ codePoint: first, ranges }];
  // F0 to F7 in RFC 2279: up to F4 8F BF BF.
  return [
    { codePoint: first, ranges: [{ first: 0xf1, last: 0xf3 }, ...ranges.slice(1)] },
    {
      codePoint: 0x100000,
      ranges: [{ first: 0xf4, last: 0xf4 }, { first: 0x80, last: 0x8f }, ...ranges.slice(2)],
    },
  ];
}

/** Of sequences of code units, those of the characters that UTF-8 contains: surrogates only in pairs. */
function pair(sequences, { domain }) {
  const pairs = domain === 'code units' && sequences.some(isWide);
  return [...cutSurrogates(sequences), ...(pairs ? [{ codePoint: 0x10000, ranges: PAIR }] : [])];
}

/** Leaves surrogates out. */
function cutSurrogates(sequences) {
  if (!sequences.some(isWide)) return sequences;
  return [
    ...sequences.filter((each) => !isWide(each)),
    { codePoint: 0x1000, ranges: bytes(0xe1, 0xec, 0x80, 0xbf, 0x80, 0xbf) },
    { codePoint: 0xd000, ranges: bytes(0xed, 0xed, 0x80, 0x9f, 0x80, 0xbf) },
    { codePoint: 0xe000, ranges: bytes(0xee, 0xef, 0x80, 0xbf, 0x80, 0xbf) },
  ];
}

/** Tells whether it is the row of three bytes that contains surrogates. */
const isWide = ({ codePoint, ranges }) => codePoint <= 0xd800 && 0xdfff < codePoint + count(ranges);

const bytes = (...edges) =>
  edges.flatMap((first, i) => (i % 2 === 0 ? [{ first, last: edges[i + 1] }] : []));

const PAIR = bytes(0xed, 0xed, 0xa0, 0xaf, 0x80, 0xbf, 0xed, 0xed, 0xb0, 0xbf, 0x80, 0xbf);

const count = (ranges) => ranges.reduce((all, { first, last }) => all * (last - first + 1), 1);

const LEAST = [0, 0, 0x80, 0x800, 0x10000, 0, 0x10000];

/** Tells whether no sequence is shorter, except for U+0000. */
const isShortest = ({ codePoint, ranges }) =>
  codePoint + count(ranges) === 1 || codePoint >= LEAST[ranges.length];

const spells = (sequences, { codePoint, ranges }) =>
  [codePoint, codePoint + count(ranges) - 1].every((end) =>
    sequences.some((each) => each.codePoint <= end && end < each.codePoint + count(each.ranges)),
  );

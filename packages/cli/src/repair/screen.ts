/** The fast look: whether bytes hold anything at all that a repair would change. */
import { type Codec, formatRow, type Grammar } from '@utf8/core';
import { type Encoding, findEncoding } from '../codecs.js';
import { spellingsOfNul } from '../nul.js';
import { hasLoneHalves, type RepairOptions } from './options.js';

/** Encodings that take more than they write, by what they write. */
const written: Readonly<Record<string, string>> = {
  'cesu-8+utf-8': 'utf-8',
  'mutf-8-lenient': 'mutf-8',
};

const LEAD_OF_HALVES = 0xed;

/**
 * Makes a test that bytes pass which a repair leaves as they are. It may refuse some that it would
 * leave, too.
 *
 * @param nuls - What the format spells U+0000 with.
 */
export function createScreen(
  options: RepairOptions,
  nuls: readonly Uint8Array[],
): (bytes: Uint8Array) => boolean {
  const target = findWritten(options.to);
  const codecs: Codec[] = [target.codec];
  // What is a part of the other needs no second look, so that plain UTF-8 is looked at by one native
  // function.
  if (!covers(options.from.codec.grammar, target.codec.grammar)) codecs.push(options.from.codec);
  const seeksHalves =
    options.loneHalves !== 'keep' && hasLoneHalves(options.from) && hasLoneHalves(target);
  const refused = options.nul === 'keep' ? [] : [...spellingsOfNul(target.codec), ...nuls];
  const spellings = refused.map((nul) => Buffer.from(nul));
  return (bytes) => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (spellings.some((nul) => buffer.includes(nul))) return false;
    return codecs.every((codec) => codec.isValid(bytes)) && !(seeksHalves && hasHalf(buffer));
  };
}

/** The encoding of what is written for another. */
function findWritten(encoding: Encoding): Encoding {
  const label = written[encoding.label];
  return label ? findEncoding(label) : encoding;
}

/** Whether what is well-formed in one grammar is so in another, by their rows alone. */
function covers(outer: Grammar, inner: Grammar): boolean {
  const rows = new Set(outer.rows.map((row) => formatRow({ ...row, writes: true })));
  return inner.rows.every((row) => rows.has(formatRow({ ...row, writes: true })));
}

/** Whether a half stands without its partner in bytes that are well-formed otherwise. */
function hasHalf(bytes: Buffer): boolean {
  for (let i = bytes.indexOf(LEAD_OF_HALVES); i !== -1; i = bytes.indexOf(LEAD_OF_HALVES, i)) {
    const second = bytes[i + 1] ?? 0;
    if (second < 0xa0) i += 3;
    else if (second < 0xb0 && isLowHalf(bytes, i + 3)) i += 6;
    else return true;
  }
  return false;
}

const isLowHalf = (bytes: Buffer, i: number): boolean =>
  bytes[i] === LEAD_OF_HALVES && (bytes[i + 1] ?? 0) >= 0xb0;

import { type Codec, createCodec, formatRow, type Row } from '@utf8/core';
import { codecFor, labels } from '@utf8/detect';
import { indexOfRun } from './byte-search.js';
import { spellingsOfNul } from './nul.js';
import { hasSurrogates, type Settings } from './options.js';

/** Makes a test that only bytes pass in which a repair changes nothing, and not all of these. */
export function createScreen(settings: Settings): (bytes: Uint8Array) => boolean {
  const { from, unpairedSurrogates, nul, syntax } = settings;
  const target = findWritten(settings.to);
  // One native pass is enough for plain UTF-8.
  const codecs = covers(from, target) ? [target] : [target, from];
  const seeksSurrogates =
    unpairedSurrogates !== 'keep' && hasSurrogates(from) && hasSurrogates(target);
  const nuls = nul === 'keep' ? [] : [...spellingsOfNul(target), ...syntax.nuls];
  return (bytes) =>
    !nuls.some((spelling) => indexOfRun(bytes, spelling, 0) !== -1) &&
    codecs.every(({ isValid }) => isValid(bytes)) &&
    !(seeksSurrogates && hasUnpaired(bytes));
}

/** Returns a codec that accepts only what another writes. */
function findWritten(codec: Codec): Codec {
  const { domain, rows } = codec.grammar;
  const written = rows.filter(({ writes }) => writes);
  if (written.length === rows.length) return codec;
  const format = (rows: readonly Row[]): string => rows.map(formatRow).join('\n');
  const known = labels
    .map((label) => codecFor(label))
    .find(({ grammar }) => format(grammar.rows) === format(written));
  return known ?? createCodec(codec.name, { domain, rows: written });
}

/** Tells whether every row of the inner codec is one of the outer. */
function covers(outer: Codec, inner: Codec): boolean {
  const format = (row: Row): string => formatRow({ ...row, writes: true });
  const rows = new Set(outer.grammar.rows.map(format));
  return inner.grammar.rows.every((row) => rows.has(format(row)));
}

const SURROGATE_LEAD = Uint8Array.of(0xed);

/** Tells whether well-formed bytes contain an unpaired surrogate. */
function hasUnpaired(bytes: Uint8Array): boolean {
  const second = (i: number): number => (bytes[i] === 0xed ? (bytes[i + 1] as number) : 0);
  for (let i = 0; ; ) {
    i = indexOfRun(bytes, SURROGATE_LEAD, i);
    if (i === -1) return false;
    if (second(i) < 0xa0) i += 3;
    else if (second(i) < 0xb0 && second(i + 3) >= 0xb0) i += 6;
    else return true;
  }
}

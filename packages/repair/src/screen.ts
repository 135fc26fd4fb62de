import { type Codec, createCodec, formatRow, type Row } from '@utf8/core';
import { codecFor, labels } from '@utf8/detect';
import { indexOfRun } from './byte-search.js';
import { sequencesOfNul } from './nul.js';
import { hasSurrogates, type Settings } from './options.js';

/** Makes a test that only bytes pass in which a repair changes nothing, and not all of these. */
export function createScreen(settings: Settings): (bytes: Uint8Array) => boolean {
  const { from, unpairedSurrogates, nul, syntax } = settings;
  const target = findWritten(settings.to);
  // One native pass is enough for plain UTF-8.
  const codecs = covers(from, target) ? [target] : [target, from];
  const seeksSurrogates =
    unpairedSurrogates !== 'keep' && hasSurrogates(from) && hasSurrogates(target);
  const joinsPairs = joinsSurrogates(target);
  const nuls = nul === 'keep' ? [] : [...sequencesOfNul(target), ...syntax.nuls];
  return (bytes) =>
    !nuls.some((sequence) => indexOfRun(bytes, sequence, 0) !== -1) &&
    codecs.every(({ isValid }) => isValid(bytes)) &&
    !(seeksSurrogates && hasUnpaired(bytes)) &&
    !(joinsPairs && hasPair(bytes)) &&
    !syntax.mayHide?.(bytes);
}

/** Returns a codec that accepts only what another writes. */
function findWritten(codec: Codec): Codec {
  const { domain, rows, refused } = codec.grammar;
  const written = rows.filter(({ writes }) => writes);
  if (written.length === rows.length) return codec;
  const format = (rows: readonly Row[]): string => rows.map(formatRow).join('\n');
  const known = labels
    .map((label) => codecFor(label))
    .find(({ grammar }) => {
      const isSame = format(grammar.rows) === format(written);
      return isSame && format(grammar.refused) === format(refused);
    });
  return known ?? createCodec(codec.name, { domain, rows: written, refused });
}

/** Tells whether the outer codec accepts all that the inner one does: by its rows, so false may be wrong. */
function covers(outer: Codec, inner: Codec): boolean {
  const format = (row: Row): string => formatRow({ ...row, writes: true });
  const rows = new Set(outer.grammar.rows.map(format));
  const refused = new Set(inner.grammar.refused.map(format));
  return (
    inner.grammar.rows.every((row) => rows.has(format(row))) &&
    outer.grammar.refused.every((row) => refused.has(format(row)))
  );
}

/** Tells whether an encoding accepts two surrogates in a row, and writes their pair in another form. */
function joinsSurrogates({ isValid, encode }: Codec): boolean {
  const pair = Uint8Array.of(0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80);
  return isValid(pair) && encode('\u{10000}').length !== pair.length;
}

const SURROGATE_LEAD = Uint8Array.of(0xed);

/** Tells whether well-formed bytes contain an unpaired surrogate. */
const hasUnpaired = (bytes: Uint8Array): boolean => hasSurrogate(bytes, false);

/** Tells whether well-formed bytes contain a pair of surrogates. */
const hasPair = (bytes: Uint8Array): boolean => hasSurrogate(bytes, true);

function hasSurrogate(bytes: Uint8Array, isPaired: boolean): boolean {
  const second = (i: number): number => (bytes[i] === 0xed ? (bytes[i + 1] as number) : 0);
  for (let i = 0; ; ) {
    i = indexOfRun(bytes, SURROGATE_LEAD, i);
    if (i === -1) return false;
    const isSurrogate = second(i) >= 0xa0;
    const isPair = isSurrogate && second(i) < 0xb0 && second(i + 3) >= 0xb0;
    if (isSurrogate && isPair === isPaired) return true;
    i += isPair ? 6 : 3;
  }
}

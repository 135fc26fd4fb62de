/**
 * Counts by regular expressions over bytes as Latin-1 text, tried one by one at each offset, as the
 * standards write their tables.
 */
import type { Counts, Evidence } from '../src/index.js';

const T = '[\\x80-\\xBF]';
const kinds: readonly (readonly [keyof Counts | 'ascii', string])[] = [
  ['ascii', '[\\x01-\\x7F]'],
  ['rawNul', '\\x00'],
  ['modifiedNul', '\\xC0\\x80'],
  ['overlongs', `[\\xC0\\xC1]${T}`],
  ['twoByte', `[\\xC2-\\xDF]${T}`],
  ['overlongs', `\\xE0[\\x80-\\x9F]${T}`],
  ['pairs', `\\xED[\\xA0-\\xAF]${T}\\xED[\\xB0-\\xBF]${T}`],
  ['loneSurrogates', `\\xED[\\xA0-\\xBF]${T}`],
  ['threeByte', `[\\xE0-\\xEF]${T}{2}`],
  ['overlongs', `\\xF0[\\x80-\\x8F]${T}{2}`],
  ['beyondUnicode', `(?:\\xF4[\\x90-\\xBF]|[\\xF5-\\xF7]${T})${T}{2}`],
  ['fourByte', `[\\xF0-\\xF4]${T}{3}`],
  ['overlongs', `\\xF8[\\x80-\\x87]${T}{3}`],
  ['fiveByte', `[\\xF8-\\xFB]${T}{4}`],
  ['overlongs', `\\xFC[\\x80-\\x83]${T}{4}`],
  ['sixByte', `[\\xFC\\xFD]${T}{5}`],
  ['malformed', `\\xFC${T}{1,4}|\\xFD${T}{1,4}|[\\xF8-\\xFB]${T}{1,3}|[\\xF0-\\xF7]${T}{1,2}`],
  ['malformed', `[\\xE0-\\xEF]${T}|[^]`],
];
const patterns = kinds.map(([kind, pattern]) => [kind, new RegExp(pattern, 'y')] as const);

export interface Count {
  readonly counts: Counts;
  readonly firsts: Partial<Record<Evidence, number>>;
  /** Offsets of sequences in planes 4 to 13. */
  readonly unassigned: readonly number[];
}

export function count(bytes: Uint8Array): Count {
  const text = Buffer.from(bytes).toString('latin1');
  const counts = Object.fromEntries(kinds.map(([kind]) => [kind, 0])) as Record<string, number>;
  const firsts: Record<string, number> = {};
  const unassigned: number[] = [];
  for (let i = 0; i < text.length; ) {
    for (const [kind, pattern] of patterns) {
      pattern.lastIndex = i;
      const match = pattern.exec(text);
      if (!match) continue;
      counts[kind] = (counts[kind] ?? 0) + 1;
      firsts[kind] ??= i;
      if (kind === 'pairs' || kind === 'fourByte') {
        const codePoint = kind === 'pairs' ? ofPair(match[0]) : ofFour(match[0]);
        const plane = Math.floor(codePoint / 0x10000);
        if (plane >= 4 && plane <= 13) unassigned.push(i);
      }
      i += match[0].length;
      break;
    }
  }
  const { ascii, ...rest } = counts;
  const { ascii: _, twoByte, threeByte, ...evidence } = firsts;
  return { counts: rest as unknown as Counts, firsts: evidence, unassigned };
}

const at = (text: string, i: number): number => text.charCodeAt(i);

function ofPair(text: string): number {
  const high = (at(text, 1) - 0xa0) * 64 + (at(text, 2) - 0x80);
  const low = (at(text, 4) - 0xb0) * 64 + (at(text, 5) - 0x80);
  return 0x10000 + high * 1024 + low;
}

const ofFour = (text: string): number =>
  Buffer.from(text, 'latin1').toString('utf8').codePointAt(0) as number;

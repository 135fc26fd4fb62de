/** A report of `utf8 detect` in words. */
import { type Counts, type Evidence, labels, type Report } from '@utf8/detect';
import type { Style } from '../terminal/style.js';
import { wrap } from '../terminal/wrap.js';
import { count } from './count.js';
import { seeReasons } from './see.js';

/** Names of the counts, in the order of the report. */
const nouns: Readonly<Record<keyof Counts, string>> = {
  twoByte: 'two-byte',
  threeByte: 'three-byte',
  fourByte: 'four-byte',
  pairs: 'six-byte pairs',
  loneSurrogates: 'unpaired surrogates',
  modifiedNul: 'C0 80',
  rawNul: 'raw 00',
  overlongs: 'overlong',
  beyondUnicode: 'above U+10FFFF in four bytes',
  fiveByte: 'five-byte',
  sixByte: 'six-byte (FC, FD)',
  malformed: 'malformed',
};

const INDENT = '  ';

/** The lines about one file. */
export function formatReport(file: string, report: Report, style: Style): string[] {
  const { verdict, variants, warnings } = report;
  const mark = verdict.label ? style.good : style.bad;
  const list = (sign: string, some: readonly string[], rest = ''): string[] => {
    const names = some.length === labels.length ? 'every variant' : some.join(', ');
    return wrap(names + rest, `${INDENT}${sign} `, `${INDENT}  `);
  };
  const accepting = variants.flatMap(({ label, isWellFormed }) => (isWellFormed ? [label] : []));
  const refusing = new Map<string, string[]>();
  for (const { label, fault } of variants) {
    if (!fault) continue;
    const what = `${fault.reason} at byte ${fault.offset}: ${fault.hex}`;
    refusing.set(what, [...(refusing.get(what) ?? []), label]);
  }
  return [
    `${style.title(file)}: ${mark(verdict.label ?? 'no variant')}`,
    ...wrap(verdict.sentence, INDENT),
    ...wrap(formatCounts(report), INDENT, `${INDENT}  `),
    ...warnings.flatMap((text) => wrap(text, `${INDENT}! `, `${INDENT}  `).map(style.doubtful)),
    ...(accepting.length > 0 ? list(style.good('✓'), accepting) : []),
    ...Array.from(refusing).flatMap(([what, some]) => list(style.bad('✗'), some, `: ${what}`)),
    ...(verdict.label ? [] : seeReasons(variants.map(({ fault }) => fault?.reason))).map(
      (line) => INDENT + style.weak(line),
    ),
  ];
}

/** The counts above zero, with the first place of each kind of evidence. */
function formatCounts({ bytes, isAscii, hasBom, counts, firsts }: Report): string {
  const parts = isAscii && bytes > 0 ? ['all ASCII'] : [];
  if (hasBom) parts.push('a BOM (EF BB BF)');
  for (const [key, noun] of Object.entries(nouns) as [keyof Counts, string][]) {
    if (counts[key] === 0) continue;
    const first = firsts[key as Evidence];
    const place = first === undefined ? '' : ` (first at ${first})`;
    parts.push(`${noun} ×${counts[key]}${place}`);
  }
  return `${count(bytes, 'byte')}${parts.length > 0 ? ':' : ''} ${parts.join(', ')}`.trimEnd();
}

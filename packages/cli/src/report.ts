/** A report of `utf8 detect`, as people read it. */
import { type Counts, type Evidence, labels, type Report } from '@utf8/detect';
import type { Style } from './style.js';
import { count } from './tally.js';
import { wrap } from './wrap.js';

/** What is counted, in the order in which it is printed. */
const nouns: Readonly<Record<keyof Counts, string>> = {
  twoByte: 'two-byte',
  threeByte: 'three-byte',
  fourByte: 'four-byte',
  pairs: 'six-byte pairs',
  loneHalves: 'lone halves',
  modifiedNul: 'C0 80',
  rawNul: 'raw 00',
  overlongs: 'overlong',
  beyondUnicode: 'above U+10FFFF in four bytes',
  fiveByte: 'five-byte',
  sixByte: 'six-byte (FC, FD)',
  malformed: 'malformed',
};

const INDENT = '  ';

/** A paragraph about one file. */
export function formatReport(file: string, report: Report, style: Style): string {
  const { verdict, variants, warnings } = report;
  const mark = verdict.label ? style.good : style.bad;
  const held = variants.filter(({ isWellFormed }) => isWellFormed).map(({ label }) => label);
  let text = `${style.title(file)}: ${mark(verdict.label ?? 'in no variant')}\n`;
  text += wrap(verdict.sentence, INDENT);
  text += wrap(listCounts(report), INDENT, `${INDENT}  `);
  for (const warning of warnings) {
    text += style.doubtful(wrap(warning, `${INDENT}! `, `${INDENT}  `).trimEnd());
    text += '\n';
  }
  if (held.length > 0) {
    text += wrap(list(held), `${INDENT}${style.good('✓')} `, `${INDENT}  `);
  }
  const refusals = new Map<string, string[]>();
  for (const { label, fault } of variants) {
    if (!fault) continue;
    const what = `${fault.reason} at byte ${fault.offset}: ${fault.hex}`;
    refusals.set(what, [...(refusals.get(what) ?? []), label]);
  }
  for (const [what, refusing] of refusals) {
    text += wrap(`${list(refusing)}: ${what}`, `${INDENT}${style.bad('✗')} `, `${INDENT}  `);
  }
  return text;
}

const list = (held: readonly string[]): string =>
  held.length === labels.length ? 'every variant' : held.join(', ');

/** The counts that speak, and where each kind of evidence is first. */
function listCounts({ bytes, isAscii, hasBom, counts, firsts }: Report): string {
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

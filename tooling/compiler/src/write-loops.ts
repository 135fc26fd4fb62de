/**
 * Writes the loops of a grammar as TypeScript: one each to decode, encode and validate, with the rows
 * above each branch. They are unrolled by length and stop at the first character that they cannot convert.
 */
import { type ByteRange, formatRow, type Grammar, type Row } from '@utf8/core';
import { selectText } from '@utf8/core/internal';
import {
  FIRST_TRAIL,
  type Form,
  type Forms,
  joinSpans,
  LAST_TRAIL,
  MARKERS,
  type Span,
  sortForms,
} from './forms.js';

const names = ['lead', 'second', 'third', 'fourth', 'fifth', 'sixth'];

const hex = (number: number): string => `0x${number.toString(16).padStart(2, '0')}`;

/** Writes a binary mask of some low bits, as `0b1_1111`. */
const mask = (bits: number): string => `0b${'1'.repeat(bits).replace(/\B(?=(1{4})+$)/g, '_')}`;

const comment = (rows: readonly Row[]): string[] => rows.map((row) => `// ${formatRow(row)}`);

/** The number of bits of a lead byte that belong to the code point. */
const leadBits = (length: number): number => 7 - length;

/** The last code point that a string can contain. */
const TOP = 0x10ffff;

/** Writes the module of a grammar's loops, except for the header. */
export function writeLoops(grammar: Grammar): string {
  const forms = sortForms(grammar);
  const text = sortForms(selectText(grammar));
  return [
    "import * as parts from '@utf8/core/parts';",
    '',
    '/** Loops unrolled by length, each branch below its rows. */',
    'export const loops: parts.Loops = {',
    ...writeDecode(text),
    '',
    ...writeEncode(text),
    '',
    ...writeValidate(forms),
    '};',
    '',
  ].join('\n');
}

function writeDecode(forms: Forms): string[] {
  // Code points above U+10FFFF are left to the caller, which reports them.
  const read = forms.read.filter(({ spans }) => (spans[0] as Span).first <= TOP);
  return [
    'decode(source, from, to, target, at, progress) {',
    ...startAt(read[0], (first) => `parts.decodeAscii(source, from, to, ${first}, target, at)`),
    'let written = at + i - from;',
    'while (i < to) {',
    'const lead = source[i] as number;',
    ...closeLoop(
      read.flatMap((form, i) => writeBranch(forms, form, read[i - 1], read[i + 1], decodeForm)),
    ),
    'progress.read = i;',
    'progress.written = written;',
    '},',
  ];
}

function writeValidate(forms: Forms): string[] {
  const { read } = forms;
  return [
    'validate(source, from, to) {',
    ...startAt(read[0], (first) => `parts.skipAscii(source, from, to, ${first})`),
    'while (i < to) {',
    'const lead = source[i] as number;',
    ...closeLoop(
      read.flatMap((form, i) => writeBranch(forms, form, read[i - 1], read[i + 1], validateForm)),
    ),
    'return i;',
    '},',
  ];
}

/** Closes a loop, which needs no `continue` at its end. */
const closeLoop = (lines: readonly string[]): string[] => [
  ...(lines.at(-1) === 'continue;' ? lines.slice(0, -1) : lines),
  '}',
];

const firstLead = ({ seconds }: Form): number => Math.min(...seconds.keys());
const lastLead = ({ seconds }: Form): number => Math.max(...seconds.keys());

/** Writes the branch of one form: its last byte, its rows, its condition, and its body. */
function writeBranch(
  forms: Forms,
  form: Form,
  before: Form | undefined,
  next: Form | undefined,
  writeBody: (forms: Forms, form: Form, stops: readonly string[]) => string[],
): string[] {
  const { length } = form;
  const stops: string[] = [];
  if (firstLead(form) > (before ? lastLead(before) + 1 : 0)) {
    stops.push(`lead < ${hex(firstLead(form))}`);
  }
  if (!next && lastLead(form) < 0xff) stops.push(`lead > ${hex(lastLead(form))}`);
  if (length > 1) stops.push(`i + ${length} > to`);
  const name = names[length - 1] as string;
  const body = writeBody(forms, form, stops);
  return [
    ...(length > 1 ? [`const ${name} = source[i + ${length - 1}] as number;`] : []),
    ...comment(form.rows),
    ...(next ? [`if (lead < ${hex(lastLead(form) + 1)}) {`, ...body, '}'] : body),
  ];
}

/** Writes the index at which a loop starts: after ASCII, if a call converts that. */
const startAt = (form: Form | undefined, call: (first: string) => string): string[] =>
  form?.length === 1 && lastLead(form) === 0x7f && firstLead(form) <= 1
    ? [`let i = ${call(String(firstLead(form)))};`]
    : ['let i = from;'];

const writeBreak = (stops: readonly string[]): string[] =>
  stops.length > 0 ? [`if (${stops.join(' || ')}) break;`] : [];

const isNoTrail = (name: string): string => `(${name} & 0b1100_0000) !== 0x80`;

function decodeForm({ pair, refused }: Forms, form: Form, stops: readonly string[]): string[] {
  const { length } = form;
  if (length === 1) {
    return [...writeBreak(stops), 'target[written++] = lead;', 'i++;', 'continue;'];
  }
  const trails = names.slice(1, length);
  const value = [`((lead & ${mask(leadBits(length))}) << ${6 * (length - 1)})`]
    .concat(
      trails.map((name, k) => {
        const shift = 6 * (length - 2 - k);
        return shift > 0 ? `((${name} & 0b11_1111) << ${shift})` : `(${name} & 0b11_1111)`;
      }),
    )
    .join(' | ');
  const name = length === 4 ? 'codePoint' : 'codeUnit';
  const gaps = findGaps(form);
  const [outer, inner] = splitGaps(gaps, pair);
  const write =
    length === 4
      ? [
          `target[written++] = 0xd7c0 + (${name} >> 10);`,
          `target[written++] = 0xdc00 | (${name} & 0b11_1111_1111);`,
        ]
      : [`target[written++] = ${name};`];
  const accept = [...write, `i += ${length};`, 'continue;'];
  return [
    ...writeBreak([...stops, isNoTrail(trails[0] as string)]),
    ...writeBreak(trails.slice(1).map(isNoTrail)),
    `const ${name} = ${value};`,
    ...writeBreak(outer.map((gap) => writeTest(name, gap, form))),
    ...(refused && length === 3
      ? [
          ...comment([refused]),
          '// The next sequence decides about a high surrogate.',
          'if ((codeUnit & 0xfc00) === 0xd800 && (i + 3 === to || source[i + 3] === 0xed)) break;',
        ]
      : []),
    ...(inner && length === 3
      ? ['if ((codeUnit & 0xf800) !== 0xd800) {', ...accept, '}', ...decodePair(pair as Row)]
      : accept),
  ];
}

function decodePair(pair: Row): string[] {
  return [
    ...comment([pair]),
    'const lowSecond = source[i + 4] as number;',
    'const lowThird = source[i + 5] as number;',
    'if (codeUnit > 0xdbff || i + 6 > to || source[i + 3] !== 0xed) break;',
    'if ((lowSecond & 0b1111_0000) !== 0xb0 || (lowThird & 0b1100_0000) !== 0x80) break;',
    'target[written++] = codeUnit;',
    'target[written++] = 0xdc00 | ((lowSecond & 0b1111) << 6) | (lowThird & 0b11_1111);',
    'i += 6;',
    'continue;',
  ];
}

/** Finds the code points that the lead bytes and trail bytes of a form allow, and no row contains. */
function findGaps({ length, spans, seconds }: Form): Span[] {
  const digits = [...seconds.keys()].map((lead) => lead - (MARKERS[length] as number));
  const step = 64 ** (length - 1);
  const first = Math.min(...digits) * step;
  const last = Math.min((Math.max(...digits) + 1) * step - 1, 0x7fffffff);
  const gaps: Span[] = [];
  let next = first;
  for (const span of joinSpans(spans)) {
    if (next < span.first) gaps.push({ first: next, last: span.first - 1 });
    next = span.last + 1;
  }
  if (next <= last) gaps.push({ first: next, last });
  // Rows may contain code points above U+10FFFF.
  if (first <= TOP && next - 1 > TOP) gaps.push({ first: TOP + 1, last });
  return gaps;
}

/** Removes the surrogates from the gaps if there is a row of pairs. */
function splitGaps(gaps: readonly Span[], pair: Row | undefined): [outer: Span[], inner: boolean] {
  const isSurrogates = ({ first, last }: Span): boolean => first === 0xd800 && last === 0xdfff;
  const inner = pair !== undefined && gaps.some(isSurrogates);
  return [inner ? gaps.filter((gap) => !isSurrogates(gap)) : [...gaps], inner];
}

/** Writes the test for a value in a gap. */
function writeTest(name: string, { first, last }: Span, { length, seconds }: Form): string {
  const step = 64 ** (length - 1);
  const least = (Math.min(...seconds.keys()) - (MARKERS[length] as number)) * step;
  const most = (Math.max(...seconds.keys()) - (MARKERS[length] as number) + 1) * step - 1;
  if (first === least) return `${name} < ${hex(last + 1)}`;
  if (last >= most) return `${name} > ${hex(first - 1)}`;
  const size = last - first + 1;
  const isAligned = Number.isInteger(Math.log2(size)) && first % size === 0;
  if (isAligned && last <= 0xffff) return `(${name} & ${hex(0x10000 - size)}) === ${hex(first)}`;
  return `(${name} > ${hex(first - 1)} && ${name} < ${hex(last + 1)})`;
}

function validateForm({ pair, refused }: Forms, form: Form, stops: readonly string[]): string[] {
  const { length, seconds } = form;
  if (length === 1) return [...writeBreak(stops), 'i++;', 'continue;'];
  const leads = Array.from(
    { length: lastLead(form) - firstLead(form) + 1 },
    (_, i) => firstLead(form) + i,
  );
  const missing = leads.filter((lead) => !seconds.has(lead)).map((lead) => `lead === ${hex(lead)}`);
  const isSplit = pair !== undefined && length === 3;
  const bounds = writeBounds(seconds, isSplit);
  const rest = names.slice(2, length).map(isNoTrail);
  const accept = [`i += ${length};`, 'continue;'];
  const lookAhead =
    refused && length === 3
      ? [
          ...comment([refused]),
          'if (lead === 0xed && (second & 0b1111_0000) === 0xa0) {',
          'if (i + 3 === to || source[i + 3] === 0xed) break;',
          '}',
        ]
      : [];
  return [
    ...writeBreak([...stops, ...missing, ...bounds]),
    ...writeBreak(rest),
    ...lookAhead,
    ...(isSplit
      ? [
          'if (lead !== 0xed || second < 0xa0) {',
          ...accept,
          '}',
          ...comment([pair]),
          'if (second > 0xaf || i + 6 > to || source[i + 3] !== 0xed) break;',
          'const lowSecond = source[i + 4] as number;',
          'const lowThird = source[i + 5] as number;',
          'if ((lowSecond & 0b1111_0000) !== 0xb0 || (lowThird & 0b1100_0000) !== 0x80) break;',
          'i += 6;',
          'continue;',
        ]
      : accept),
  ];
}

/** Writes the tests for a second byte out of bounds, which some lead bytes narrow. */
function writeBounds(
  seconds: ReadonlyMap<number, ByteRange | undefined>,
  isSplit: boolean,
): string[] {
  const choose = (edge: 'first' | 'last', usual: number): string => {
    const special = [...seconds].filter(
      ([lead, range]) => (range as ByteRange)[edge] !== usual && !(isSplit && lead === 0xed),
    );
    return special.reduce(
      (otherwise, [lead, range]) =>
        `lead === ${hex(lead)} ? ${hex((range as ByteRange)[edge])} : ${otherwise}`,
      hex(usual),
    );
  };
  const first = choose('first', FIRST_TRAIL);
  const last = choose('last', LAST_TRAIL);
  if (first === hex(FIRST_TRAIL) && last === hex(LAST_TRAIL)) return [isNoTrail('second')];
  return [`second < (${first})`, `second > (${last})`];
}

function writeEncode({ written, pair }: Forms): string[] {
  const hasSurrogates = written.some(({ spans }) =>
    spans.some(({ first, last }) => first <= 0xd800 && 0xdfff <= last),
  );
  const four = written.find(({ length }) => length === 4);
  const bmp = written.filter(({ length }) => length < 4);
  const [ascii, ...longer] = bmp as [Form, ...Form[]];
  return [
    'encode(text, from, to, target, at, progress) {',
    'let i = from;',
    'for (; i < to; i++) {',
    'let codeUnit = text.charCodeAt(i);',
    ...encodeRun(ascii, longer[0] as Form),
    ...closeLoop(
      longer.flatMap((form, i) => {
        const accept = [...writeBytes('codeUnit', form.length), 'continue;'];
        const next = longer[i + 1];
        if (next) {
          return [...comment(form.rows), `if (${testForm(form, next)}) {`, ...accept, '}'];
        }
        if (hasSurrogates) {
          return [...(four ? encodePairs(four) : []), ...comment(form.rows), ...accept];
        }
        return [
          ...comment(form.rows),
          'if ((codeUnit & 0xf800) !== 0xd800) {',
          ...accept,
          '}',
          ...(pair?.writes ? encodeSurrogates(pair, form) : four ? encodeFour(four) : ['break;']),
        ];
      }),
    ),
    'progress.read = i;',
    'progress.written = at;',
    '},',
  ];
}

/** Writes the branch of one-byte forms, which come in runs. */
function encodeRun(form: Form, next: Form): string[] {
  const test = testForm(form, next);
  return [
    ...comment(form.rows),
    `if (${test}) {`,
    'do {',
    'target[at++] = codeUnit;',
    'if (++i === to) break;',
    'codeUnit = text.charCodeAt(i);',
    `} while (${test});`,
    'if (i === to) break;',
    '}',
  ];
}

/** Writes the test for a code unit that belongs to a form, and not to a longer one. */
function testForm({ spans }: Form, next: Form): string {
  const top = Math.max(...spans.map(({ last }) => last)) + 1;
  // A code point below the next form's may still belong to that form.
  const others = next.spans.filter(({ last }) => last < top).map(({ first }) => first);
  return [`codeUnit < ${hex(top)}`, ...others.map((first) => `codeUnit !== ${hex(first)}`)].join(
    ' && ',
  );
}

/** Writes the bytes of a form, the highest bits first. */
function writeBytes(name: string, length: number): string[] {
  return Array.from({ length }, (_, i) => {
    const shift = 6 * (length - 1 - i);
    const shifted = shift > 0 ? `${name} >> ${shift}` : name;
    if (length === 1) return `target[at++] = ${name};`;
    const bits =
      i === 0 ? `(${shifted})` : shift > 0 ? `((${shifted}) & 0b11_1111)` : `(${name} & 0b11_1111)`;
    return `target[at++] = ${hex(i === 0 ? (MARKERS[length] as number) : FIRST_TRAIL)} | ${bits};`;
  });
}

const joinCodePoint =
  'const codePoint = 0x10000 + ((codeUnit & 0b11_1111_1111) << 10) + (low & 0b11_1111_1111);';

function encodeFour({ rows }: Form): string[] {
  return [
    ...comment(rows.filter(({ first }) => first <= TOP)),
    'const low = text.charCodeAt(i + 1);',
    'if (codeUnit > 0xdbff || (low & 0xfc00) !== 0xdc00) break;',
    joinCodePoint,
    ...writeBytes('codePoint', 4),
    'i++;',
  ];
}

/** Writes pairs in four bytes, if unpaired surrogates are code points too. */
function encodePairs({ rows }: Form): string[] {
  return [
    ...comment(rows),
    'if ((codeUnit & 0xfc00) === 0xd800) {',
    'const low = text.charCodeAt(i + 1);',
    'if ((low & 0xfc00) === 0xdc00) {',
    joinCodePoint,
    ...writeBytes('codePoint', 4),
    'i++;',
    'continue;',
    '}',
    '}',
  ];
}

/** Writes a pair as two surrogates, each as a sequence of a form. */
function encodeSurrogates(pair: Row, { length }: Form): string[] {
  return [
    ...comment([pair]),
    'const low = text.charCodeAt(i + 1);',
    'if (codeUnit > 0xdbff || (low & 0xfc00) !== 0xdc00) break;',
    ...writeBytes('codeUnit', length),
    ...writeBytes('low', length),
    'i++;',
  ];
}

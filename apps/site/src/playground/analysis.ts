/** Analysis of an input in each variant, as plain data for a page to show. */
import type { Codec } from '@utf8/core';
import { codecFor, Detector, type Label, type Report } from '@utf8/detect';
import { type Explanation, explain } from '@utf8/explain';
import { spellPhrase } from '../../../../packages/cli/src/option/flag.js';
import type { FormatOptions } from '../../../../packages/dump/src/format/format.js';
import { recognize } from '../../../../packages/dump/src/format/guess.js';
import { TEXT_HEAD } from '../../../../packages/dump/src/format/recognize.js';
import { advise, isAttack, type Step, scanPolicies } from './advice.js';
import { type Answer, answer } from './answer.js';
import { type Input, open, read } from './input.js';
import { LossSearch, readTwice } from './losses.js';
import { formatHex, spellVisibly } from './notation.js';
import { countByPractice, countReplacements, type PracticeCount } from './replacements.js';
import type { Scanned } from './scan.js';

/** Number of bytes of an input that are explained byte by byte. */
export const WINDOW = 256;

/** Number of bytes shown before the first byte of interest. */
const BEFORE = 32;

/** The explained part of an input as a variant decodes it, and its encoding. */
export interface VariantView {
  readonly label: Label;
  readonly name: string;
  readonly isWellFormed: boolean;
  /** The first fault of the whole input, with the rule that it breaks. */
  readonly fault:
    | {
        readonly offset: number;
        readonly reason: string;
        readonly hex: string;
        readonly rule: string | undefined;
        readonly section: string | undefined;
      }
    | undefined;
  /** The explained part as text, with U+FFFD for each maximal subpart. */
  readonly text: string;
  /** U+FFFD in it: for each maximal subpart, and for each byte. */
  readonly replacements: readonly [maximalSubparts: number, perByte: number];
  /** Bytes that the variant writes for the text, in hexadecimal digits; undefined if it cannot. */
  readonly writes: string | undefined;
}

/** All that the page shows of an input. */
export interface Analysis {
  readonly answer: Answer;
  readonly report: Report;
  /** Kind of an input that is not text, and a remedy. */
  readonly refusal: string | undefined;
  readonly steps: readonly Step[];
  /** Sentences about damage that no command repairs for certain. */
  readonly notes: readonly string[];
  /** True if `utf8 scan` finds nothing, and there is nothing else to say. */
  readonly isFine: boolean;
  readonly isFile: boolean;
  /** The format of records; undefined for plain text. */
  readonly format: string | undefined;
  /** True for a dump of a database, which a conversion as plain text may damage. */
  readonly isDump: boolean;
  /** The output of `utf8 scan`; undefined for what the command refuses. */
  readonly scanned: Scanned | undefined;
  /** Reason why the scan stopped. */
  readonly scanError: string | undefined;
  /** Offsets of the start and the end of the explained part, in bytes. */
  readonly from: number;
  readonly to: number;
  readonly sequences: readonly Explanation[];
  readonly variants: readonly VariantView[];
  readonly practices: readonly PracticeCount[];
}

/**
 * Analyses an input from the first byte to the last.
 *
 * @param onProgress - Called with the number of bytes that are done.
 */
export async function analyse(input: Input, onProgress: (done: number) => void): Promise<Analysis> {
  const detector = new Detector();
  const losses = new LossSearch();
  let done = 0;
  const { stream, refusal } = await open(input);
  const head = new Uint8Array(TEXT_HEAD);
  for await (const chunk of read(stream)) {
    if (done < TEXT_HEAD) head.set(chunk.subarray(0, TEXT_HEAD - done), done);
    detector.push(chunk);
    if (!refusal) losses.push(chunk);
    done += chunk.length;
    onProgress(done);
  }
  const report = detector.finish();
  const found = findFormat(input, head.subarray(0, done), done <= TEXT_HEAD);
  const part = await readPart(input, findStart(report));
  const canScan = !refusal && !found.isOtherSql;
  const scan = canScan ? await scanInput(input, found, report, onProgress) : {};
  return describe(report, part, input, { refusal, ...found, ...scan }, losses);
}

/** The format of an input, as far as it is known. */
interface FoundFormat {
  readonly format: string | undefined;
  readonly options: FormatOptions;
  readonly isDump: boolean;
  /** True for SQL of an unknown program. */
  readonly isOtherSql: boolean;
  /** Formats that fit, if only the user knows which one is right. */
  readonly choices: readonly string[];
}

/** Finds the format of a file as the command does. SQL from an unknown program is not plain text either. */
function findFormat(input: Input, head: Uint8Array, isWhole: boolean): FoundFormat {
  const plain = { format: undefined, options: {}, isDump: false, isOtherSql: false, choices: [] };
  if (!(input instanceof Blob)) return plain;
  const found = recognize(input.name, head, isWhole, {});
  if (found?.is === 'dump') return { ...plain, format: found.format, isDump: true };
  if (found?.is === 'sql') return { ...plain, isOtherSql: !found.isHarmless };
  if (found?.is === 'ambiguous') return { ...plain, choices: found.choices.map(spellPhrase) };
  if (found?.is !== 'guess' || found.format === PLAIN) return plain;
  return { ...plain, format: found.format, options: found.options };
}

/** The format of plain text for a scan. */
const PLAIN = 'lines';

/** The part of an analysis that a scan decides. */
type ScanResult = Partial<Pick<Analysis, 'format' | 'scanned' | 'scanError'>>;

/** Scans an input as the command does. */
async function scanInput(
  input: Input,
  found: FoundFormat,
  report: Report,
  onProgress: (done: number) => void,
): Promise<ScanResult> {
  const { describeError, scan } = await import('./scan.js');
  const { format = PLAIN, options, isDump } = found;
  const request = {
    name: input instanceof Blob ? input.name : 'FILE',
    format,
    formatOptions: options,
    from: report.verdict.nearest,
    ...scanPolicies(report, isDump),
  };
  try {
    const openAgain = async () => (await open(input)).stream;
    return { scanned: await scan({ ...request, open: openAgain }, onProgress) };
  } catch (error) {
    // The file changed, which the page says in other words.
    if (error instanceof DOMException) throw error;
    if (isDump || format === PLAIN) return { scanError: describeError(error as Error) };
    // The guess was wrong.
    const plain = { ...found, format: undefined, options: {} };
    return { format: undefined, ...(await scanInput(input, plain, report, onProgress)) };
  }
}

/** Returns the start of the explanation: shortly before the bytes that distinguish variants. */
function findStart({ bytes, firsts, variants, verdict }: Report): number {
  const fault = variants.find(({ label }) => label === verdict.nearest)?.fault?.offset;
  const utf8 = variants.find(({ label }) => label === 'utf-8')?.fault?.offset;
  const first = fault ?? utf8 ?? Math.min(...Object.values(firsts), Number.MAX_SAFE_INTEGER);
  if (bytes <= WINDOW || first >= bytes) return 0;
  return Math.max(0, first - BEFORE);
}

/** A part of an input. */
interface Part {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** In bytes, from the start of the input. */
  readonly from: number;
}

/** Reads the part to explain. It does not begin inside a character. */
async function readPart(input: Input, from: number): Promise<Part> {
  const part = new Uint8Array(WINDOW);
  let place = 0;
  let length = 0;
  for await (const chunk of read((await open(input)).stream)) {
    const some = chunk.subarray(Math.max(0, from - place), Math.max(0, from + WINDOW - place));
    part.set(some, length);
    length += some.length;
    place += chunk.length;
    if (place >= from + WINDOW) break;
  }
  let start = 0;
  while (from > 0 && start < BEFORE && isTrail(part[start] as number)) start++;
  return { bytes: part.slice(start, length), from: from + start };
}

const isTrail = (byte: number): boolean => byte >= 0x80 && byte <= 0xbf;

/** Facts about an input besides its bytes and its format. */
type KnownOfInput = Pick<Analysis, 'refusal'> & ScanResult;

function describe(
  report: Report,
  { bytes, from }: Part,
  input: Input,
  { refusal, format, isDump, isOtherSql, choices, scanned, scanError }: FoundFormat & KnownOfInput,
  { questions, replacements }: LossSearch,
): Analysis {
  const isFile = input instanceof Blob;
  const file = isFile ? input.name : undefined;
  const explained = [...explain(bytes)];
  const sequences = explained.map((sequence) => ({
    ...sequence,
    offset: sequence.offset + from,
  }));
  const hasMojibake = scanned?.hasMojibake ?? false;
  const steps =
    refusal === undefined
      ? advise(report, { file, format, isDump, isOtherSql, scanned, scanError })
      : [];
  const notes = [
    ...(hasMojibake || bytes.length < report.bytes ? [] : listDoubts(bytes)),
    ...(isOtherSql ? [OTHER_SQL] : []),
    ...(choices.length > 0 ? [describeChoices(choices)] : []),
    ...(questions > 0 ? [describeLoss('????', questions)] : []),
    ...(replacements > 0 ? [describeLoss('U+FFFD', replacements)] : []),
  ];
  return {
    isFile,
    refusal,
    format,
    isDump,
    scanned,
    scanError,
    isFine: steps.length + notes.length === 0 && (scanned?.isClean ?? false),
    answer: answer({
      report,
      refusal,
      hasMojibake,
      isAttack: isAttack(report, { isDump, scanned }),
      isClean: scanned?.isClean,
      isStopped: scanError !== undefined,
      doubts: notes,
      steps,
      bytes,
      sequences: explained,
    }),
    report,
    steps,
    notes,
    from,
    to: from + bytes.length,
    sequences,
    variants: report.variants.map((finding) => view(finding, bytes, sequences, report)),
    practices: countByPractice(bytes),
  };
}

/** Says what a text would be if it was encoded twice, which too little of it cannot prove. */
function listDoubts(bytes: Uint8Array): string[] {
  const text = readTwice(bytes);
  return text === undefined
    ? []
    : [
        `If this should be ${spellVisibly(text)}, it was encoded as UTF-8 twice: too little text to be sure.`,
      ];
}

const OTHER_SQL =
  'SQL of an unknown program, in which binary values may look like text: specify it with --format mysqldump, pg_dump or sqlite.';

const describeChoices = (choices: readonly string[]): string =>
  `Read here line by line. The file fits ${choices.join(' and ')}: scan it with the right one.`;

const describeLoss = (what: string, count: number): string =>
  `${what} in ${count} ${count === 1 ? 'place' : 'places'}: if it was text, another program has replaced it, and no command restores it. Get it from its source again.`;

function view(
  { label, name, isWellFormed, fault }: Report['variants'][number],
  bytes: Uint8Array<ArrayBuffer>,
  sequences: readonly Explanation[],
  { verdict }: Report,
): VariantView {
  const codec = codecFor(label);
  const at = fault && sequences.find(({ offset, length }) => fault.offset < offset + length);
  const text = codecFor(verdict.nearest).decode(bytes, { errors: 'replace' });
  return {
    label,
    name,
    isWellFormed,
    fault: fault && {
      offset: fault.offset,
      reason: fault.reason,
      hex: fault.hex,
      rule: at?.rule,
      section: at && findSection(at.sections, label),
    },
    text: spellVisibly(codec.decode(bytes, { errors: 'replace' })),
    replacements: [
      countReplacements(label, 'maximal-subparts', bytes),
      countReplacements(label, 'per-byte', bytes),
    ],
    writes: write(codec, text),
  };
}

/** The standards by which variants refuse bytes. */
const standards: Partial<Record<Label, string>> = {
  'utf-8': 'RFC 3629',
  utf8mb3: 'RFC 3629',
  'cesu-8': 'UTR #26',
  'cesu-8-lenient': 'UTR #26',
  'mutf-8': 'JVMS',
  'mutf-8-lenient': 'JVMS',
  rfc2279: 'RFC 2279',
};

/** Finds the section of a variant's own standard: UTF-8 does not refuse a pair because CESU-8 describes it. */
const findSection = (sections: readonly string[], label: Label): string | undefined =>
  sections.find((section) => section.startsWith(standards[label] ?? '')) ?? sections[0];

function write(codec: Codec, text: string): string | undefined {
  try {
    return formatHex(codec.encode(text));
  } catch {
    return undefined;
  }
}

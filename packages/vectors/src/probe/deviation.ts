/** Deviations of readers, and the risk of each. */
import type { Answer } from './answer.js';
import type { Input } from './input.js';
import type { Mode } from './mode.js';
import type { DeviationKind } from './quirk.js';

/** An input with a wrong answer. */
export interface Example {
  /** The id of a vector, or of another input of the probe. */
  readonly id: string;
  /** The purpose of the input in one line. */
  readonly description: string;
  /** The bytes in hexadecimal digits; undefined for more than 256 bytes. */
  readonly bytes?: string;
  /** The expected text as code points, at most 256; undefined if the input should be refused. */
  readonly expected?: readonly number[];
  /** The actual text as code points, at most 256; undefined for a refusal or a failure. */
  readonly got?: readonly number[];
  /** The reason for a missing answer, as a verb phrase. */
  readonly failure?: string;
}

/** A deviation of a reader from its variant. */
export interface Deviation {
  /** The kind of the deviation. */
  readonly kind: DeviationKind;
  /** The behaviour of the reader, as a verb phrase. */
  readonly does: string;
  /** The use for an attacker, in one sentence. */
  readonly risk: string;
  /** Number of inputs with this deviation. */
  readonly count: number;
  /** At most 20 of these inputs, short ones first. */
  readonly examples: readonly Example[];
}

/** Greatest number of examples of a deviation. */
export const MOST_EXAMPLES = 20;

export const risks: Readonly<Record<DeviationKind, string>> = {
  'accepts overlong sequences':
    'A filter that searches for bytes such as 2F, 3C or 00 lets their overlong encodings pass; this reader then reads the character: path traversal, script tags, hidden U+0000.',
  'accepts surrogates':
    'Text with unpaired surrogates is stored here and makes strict readers fail later: one value blocks an export, a queue or a page.',
  'accepts two encodings of a character':
    'One character has two encodings: comparisons of bytes, unique keys, signatures and filters see two texts where this reader sees one.',
  'accepts numbers beyond Unicode':
    'Numbers above U+10FFFF overflow tables of later programs, or make strict readers fail.',
  'reads any byte as a trail':
    'A lead byte turns the next character into another one: a filter does not see the slash or quote that this reader reads.',
  'swallows bytes after malformed bytes':
    'A lead byte before a quote, bracket or line feed removes it: markup, SQL or a log line continues into text of the attacker.',
  'drops malformed bytes':
    'A byte that disappears joins its neighbours: <scr FF ipt> passes a filter and becomes <script>.',
  'stops in silence':
    'Other programs check the rest of the text, and this reader does not see it, or the reverse: a.php, U+0000, .jpg.',
  'passes malformed bytes on':
    'Malformed bytes reach the next reader, which may read characters in them that no filter has seen.',
  'guesses another encoding':
    'Malformed bytes become other characters, so one text has many encodings that no filter knows.',
  'loses characters':
    'A character that disappears after the check joins its neighbours: a keyword in two parts passes a filter.',
  'changes characters':
    'Text differs after the check: two names become equal, a quote or line end appears that a filter has not seen.',
  'refuses well-formed text':
    'A legal character makes this reader fail: one value blocks an import, a queue or a page.',
  'accepts malformed text':
    'Malformed bytes become text without an error, so a filter and this reader see different texts.',
  'counts otherwise':
    'Lengths and offsets that another reader computed are wrong here: buffers overflow, and ranges point elsewhere.',
  'truncates long text':
    'The rest is lost without an error: a signature, a closing quote or a rule at the end of a file.',
  'depends on the position':
    'Padding changes how the same bytes are read: a check of a part proves nothing about the whole.',
  'depends on the size of reads':
    'The sender changes the text by the size of packets: a check of the whole proves nothing.',
  'depends on earlier input':
    'The input of one client changes the result of the next: text leaks or breaks between requests.',
  'answers from a cache': 'One client gets the text of another.',
  'is not deterministic': 'A check and a use of the same bytes see different texts.',
  'hangs or crashes':
    'An input stops the program: denial of service, and perhaps memory that is overwritten.',
  'reads wrongly': 'A filter and this reader see different texts.',
};

/** An input, its expected text and its actual answer, which differ. */
export interface Miss {
  readonly input: Input;
  readonly expected: readonly number[] | undefined;
  readonly answer: Answer;
}

const isReplacement = (value: number): boolean => value === 0xfffd;

/** Tells whether removing elements of `whole` can yield `part`. */
function isSubsequence(part: readonly number[], whole: readonly number[]): boolean {
  let next = 0;
  for (const value of whole) if (value === part[next]) next++;
  return next === part.length;
}

/** Changes the replacement of a reader to U+FFFD. */
function unify(text: readonly number[] | undefined, mode: Mode): readonly number[] | undefined {
  const mark = mode.replacement === undefined ? [] : (mode.render?.(new Uint8Array(1)) ?? []);
  if (!text || mark.length === 0) return text;
  const result: number[] = [];
  for (let i = 0; i < text.length; ) {
    const isMark = mark.every((value, j) => value === text[i + j]);
    result.push(isMark ? 0xfffd : (text[i] as number));
    i += isMark ? mark.length : 1;
  }
  return result;
}

/** Describes a miss that no model explains. */
export function describeMiss(miss: Miss, mode: Mode): readonly [DeviationKind, does: string] {
  const { failure } = miss.answer;
  const text = unify(miss.answer.text, mode);
  const expected = unify(miss.expected, mode);
  if (failure !== undefined) return ['hangs or crashes', failure];
  if (!text) {
    return expected?.some(isReplacement)
      ? ['counts otherwise', 'refuses malformed text that it replaces elsewhere']
      : ['refuses well-formed text', 'refuses text that it accepts elsewhere'];
  }
  if (!expected) return ['accepts malformed text', 'accepts malformed text'];
  const rest = text.filter((value) => !isReplacement(value));
  const expectedRest = expected.filter((value) => !isReplacement(value));
  if (rest.join() === expectedRest.join()) {
    const more = text.length > expected.length ? 'more' : 'fewer';
    return [
      'counts otherwise',
      `writes ${more} ${mode.replacement ?? 'U+FFFD'} than its practice has`,
    ];
  }
  const isStart = text.length === 0 || expected.join().startsWith(`${text.join()},`);
  // No lead announces more than five bytes.
  if (isStart && (expected.length - text.length > 5 || !text.some(isReplacement))) {
    return ['stops in silence', 'prints only the start'];
  }
  if (isSubsequence(rest, expectedRest)) {
    const isMalformed = expected.some(isReplacement);
    return isMalformed
      ? ['swallows bytes after malformed bytes', 'swallows characters after malformed bytes']
      : ['loses characters', 'loses characters'];
  }
  return expected.some(isReplacement)
    ? ['accepts malformed text', 'reads characters in malformed text']
    : ['reads wrongly', 'reads well-formed text as other characters'];
}

const MOST_CODE_POINTS = 256;

export function toExample({ input, expected, answer }: Miss): Example {
  const { id, bytes, description } = input;
  const cut = (text: readonly number[]): readonly number[] => text.slice(0, MOST_CODE_POINTS);
  const digits = Array.from(bytes.subarray(0, MOST_CODE_POINTS), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  return {
    id,
    description,
    ...(bytes.length <= MOST_CODE_POINTS && { bytes: digits }),
    ...(expected && { expected: cut(expected) }),
    ...(answer.text && { got: cut(answer.text) }),
    ...(answer.failure !== undefined && { failure: answer.failure }),
  };
}

const unsteadyKinds: readonly DeviationKind[] = [
  'is not deterministic',
  'depends on earlier input',
  'answers from a cache',
];

/** Tells whether an input is shorter than the shortest padding of a block, so that people see all of it. */
const isShort = ({ input }: Miss): boolean => input.bytes.length < 15;

/** Groups misses by deviation. */
export class Deviations {
  readonly #found = new Map<string, { kind: DeviationKind; does: string; misses: Miss[] }>();

  add(kind: DeviationKind, does: string, ...misses: readonly Miss[]): void {
    const key = `${kind}: ${does}`;
    const entry = this.#found.get(key) ?? { kind, does, misses: [] };
    entry.misses.push(...misses);
    this.#found.set(key, entry);
  }

  addAll(kind: DeviationKind, does: string, misses: readonly Miss[]): void {
    if (misses.length > 0) this.add(kind, does, ...misses);
  }

  /** Lists the deviations; those that make others unreliable come first. */
  list(): Deviation[] {
    const isBase = ({ kind }: { kind: DeviationKind }): boolean => unsteadyKinds.includes(kind);
    const found = [...this.#found.values()];
    return [...found.filter(isBase), ...found.filter((each) => !isBase(each))].map(
      ({ kind, does, misses }) => ({
        kind,
        does,
        risk: risks[kind],
        count: misses.length,
        examples: [...misses.filter(isShort), ...misses.filter((miss) => !isShort(miss))]
          .slice(0, MOST_EXAMPLES)
          .map(toExample),
      }),
    );
  }
}

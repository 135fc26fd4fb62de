/** The practices of counting errors, and so of writing U+FFFD. */
import { bitRow, type Row } from './row.js';

/**
 * A practice of counting the errors in malformed bytes. A reader writes one U+FFFD for each error:
 * - `maximal-subparts`: each maximal subpart. Python, Rust, Ruby, Node, ICU, mbstring, browsers.
 * - `per-byte`: each byte. Go.
 * - `per-run`: each run of malformed bytes. Go's `strings.ToValidUTF8`.
 * - `java`: each maximal subpart, and each encoded surrogate. The JDK.
 * - `sequence-4`, `sequence-6`: each sequence of the length that its lead announces, up to four or six bytes.
 * - `perl`: the same, up to thirteen bytes.
 * - `php`: the same, up to ASCII or the next lead. `htmlspecialchars`.
 *
 * @see Unicode 16.0, section 3.9, "U+FFFD Substitution of Maximal Subparts"
 */
export type Practice =
  | 'maximal-subparts'
  | 'per-byte'
  | 'per-run'
  | 'java'
  | 'sequence-4'
  | 'sequence-6'
  | 'perl'
  | 'php';

export interface Counting {
  readonly words: string;
  /** Sequences that are one fault, even truncated, although they are not prefixes of well-formed ones. */
  readonly faults: readonly Row[];
  /** The bytes that one U+FFFD replaces. */
  readonly per: 'fault' | 'byte' | 'run';
}

const surrogate = bitRow('ED A0-BF 80-BF');
const four = ['C0-DF 80-BF', 'E0-EF 80-BF 80-BF', 'F0-F7 80-BF 80-BF 80-BF'].map(bitRow);
const six = [
  ...four,
  bitRow('F8-FB 80-BF 80-BF 80-BF 80-BF'),
  bitRow('FC-FD 80-BF 80-BF 80-BF 80-BF 80-BF'),
];
const thirteen = [...six, bitRow(`FE${' 80-BF'.repeat(6)}`), bitRow(`FF${' 80-BF'.repeat(12)}`)];

/** PHP's htmlspecialchars reads any byte as a trail, except ASCII and the leads C2 to F4. */
const looseTrails = (lead: string, count: number): Row[] =>
  Array.from({ length: 2 ** count }, (_, bits) =>
    bitRow(
      [
        lead,
        ...Array.from({ length: count }, (_, i) => (bits & (1 << i) ? 'F5-FF' : '80-C1')),
      ].join(' '),
    ),
  );
const loose = [...looseTrails('C2-DF', 1), ...looseTrails('E0-EF', 2), ...looseTrails('F0-F4', 3)];

/** The practices, in order of preference among those that explain the same observations. */
export const countings: Readonly<Record<Practice, Counting>> = {
  'maximal-subparts': {
    words: 'one for each maximal subpart (Unicode, WHATWG)',
    faults: [],
    per: 'fault',
  },
  'per-byte': { words: 'one for each byte', faults: [], per: 'byte' },
  'per-run': { words: 'one for each run of malformed bytes', faults: [], per: 'run' },
  java: {
    words: "one for each maximal subpart, and one for an encoded surrogate (the JDK's)",
    faults: [surrogate],
    per: 'fault',
  },
  'sequence-4': {
    words: 'one for each sequence that its lead announces, to four bytes',
    faults: four,
    per: 'fault',
  },
  'sequence-6': {
    words: 'one for each sequence that its lead announces, to six bytes',
    faults: six,
    per: 'fault',
  },
  perl: {
    words: "one for each sequence that its lead announces, to thirteen bytes (Perl's)",
    faults: thirteen,
    per: 'fault',
  },
  php: {
    words:
      "one for each sequence that its lead announces, up to ASCII or a lead (PHP's htmlspecialchars)",
    faults: loose,
    per: 'fault',
  },
};

/** The names of all practices, in order of preference. */
export const practices: readonly Practice[] = Object.keys(countings) as Practice[];

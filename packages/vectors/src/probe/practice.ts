/** The ways to count faults, so to write U+FFFD, by the names that the field has for them. */
import { bitRow, type Row } from './row.js';

/** How many U+FFFD a reader writes for malformed bytes. */
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
  /** What is one fault although no well-formed sequence begins so; also cut short. */
  readonly faults: readonly Row[];
  readonly unit: 'fault' | 'byte' | 'run';
}

const surrogate = bitRow('ED A0-BF 80-BF');
const four = ['C0-DF 80-BF', 'E0-EF 80-BF 80-BF', 'F0-F7 80-BF 80-BF 80-BF'].map(bitRow);
const six = [
  ...four,
  bitRow('F8-FB 80-BF 80-BF 80-BF 80-BF'),
  bitRow('FC-FD 80-BF 80-BF 80-BF 80-BF 80-BF'),
];
const thirteen = [...six, bitRow(`FE${' 80-BF'.repeat(6)}`), bitRow(`FF${' 80-BF'.repeat(12)}`)];

/** PHP's htmlspecialchars takes for a trail whatever is neither ASCII nor a lead from C2 to F4. */
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

/** In order of preference: the first of those that explain as much is chosen. */
export const countings: Readonly<Record<Practice, Counting>> = {
  'maximal-subparts': {
    words: 'one for each maximal subpart (Unicode, WHATWG)',
    faults: [],
    unit: 'fault',
  },
  'per-byte': { words: 'one for each byte', faults: [], unit: 'byte' },
  'per-run': { words: 'one for each run of malformed bytes', faults: [], unit: 'run' },
  java: {
    words: "one for each maximal subpart, and one for an encoded surrogate (the JDK's)",
    faults: [surrogate],
    unit: 'fault',
  },
  'sequence-4': {
    words: 'one for each sequence that its lead announces, to four bytes',
    faults: four,
    unit: 'fault',
  },
  'sequence-6': {
    words: 'one for each sequence that its lead announces, to six bytes',
    faults: six,
    unit: 'fault',
  },
  perl: {
    words: "one for each sequence that its lead announces, to thirteen bytes (Perl's)",
    faults: thirteen,
    unit: 'fault',
  },
  php: {
    words: "one for what a lead announces and no lead or ASCII interrupts (PHP's htmlspecialchars)",
    faults: loose,
    unit: 'fault',
  },
};

/** The practices, in order of preference: the first of those that explain as much is chosen. */
export const practices: readonly Practice[] = Object.keys(countings) as Practice[];

/** Contests: the native code that does the same work as ours, and the differences. */

/**
 * @typedef {'utf-8' | 'cesu-8' | 'mutf-8'} Label
 * @typedef {'bytes' | 'text' | 'units' | 'frame'} Kind - `text` is UTF-8 in files, `units` is UTF-16,
 *   and `frame` the bytes after their length.
 * @typedef {'rust' | 'simdutf' | 'icu' | 'java' | 'node'} Program
 */

/**
 * @typedef {object} Lane - One contestant, in a process of its own.
 * @property {string} name
 * @property {'ours' | 'platform' | 'native'} group
 * @property {Program} program
 * @property {readonly string[]} words - The arguments of the program.
 * @property {Kind} input
 */

/**
 * @typedef {object} Contest
 * @property {string} title
 * @property {string} operation - As `--only` knows it.
 * @property {string} codec - Likewise.
 * @property {readonly Label[]} labels - The variant that is read or written; two for bytes to bytes.
 * @property {number} [largest] - In bytes of UTF-8.
 * @property {readonly Lane[]} lanes - Ours first.
 */

const PACKAGES = { 'utf-8': 'strict', 'cesu-8': 'cesu8', 'mutf-8': 'mutf8' };

/** The names in the report of what a program contains, by the program. @type {Record<Exclude<Program, 'node'>, readonly string[]>} */
export const PEERS = {
  rust: ['encoding_rs', 'simdutf8', 'simd_cesu8', 'cesu8'],
  simdutf: ['simdutf'],
  icu: ['ICU'],
  java: ['JVM'],
};

/** Remarks about a peer's figures for readers. */
export const REMARKS = [
  'Native peers make a new result for each call, as ours do; ours and the JVM collect garbage meanwhile.',
  'encoding_rs, simdutf and ICU read and write UTF-16; strings of V8 and of the JVM have one byte a character where all are below U+0100.',
  'simd_cesu8 and cesu8 write UTF-8 since a string of Rust is UTF-8, and encode from one, which is valid already.',
  'ICU transcodes by way of UTF-16, the JVM by way of a string.',
];

/** @param {string} name */
const programOf = (name) =>
  /** @type {Program} */ (
    Object.entries(PEERS).find(([, names]) => names.includes(name))?.[0] ?? 'node'
  );

/**
 * @param {string} operation
 * @param {readonly Label[]} labels
 * @param {Record<string, Kind>} peers - With what each takes.
 * @param {Kind} input - What ours take.
 * @param {number} [largest]
 * @returns {Contest}
 */
function contest(operation, labels, peers, input, largest) {
  const words = [operation, ...labels];
  const codec = PACKAGES[labels.find((label) => label !== 'utf-8') ?? 'utf-8'];
  /** @type {(name: string, group: Lane['group'], input: Kind) => Lane} */
  const lane = (name, group, input) => {
    const program = programOf(name);
    const isNamed = program === 'node' || program === 'rust';
    return { name, group, program, words: isNamed ? [name, ...words] : words, input };
  };
  return {
    title: `${operation} ${labels.join(' → ')}`,
    operation: operation === 'writeUTF' ? 'readUTF' : operation,
    codec,
    labels,
    ...(largest ? { largest } : {}),
    lanes: [
      lane('ours', 'ours', input),
      ...Object.entries(peers).map(([name, takes]) =>
        lane(name, name === NODE ? 'platform' : 'native', takes),
      ),
    ],
  };
}

/** Group of the functions that Node itself provides. */
const NODE = 'Node';

/** A length of two bytes counts to 65,535, and a text of 64 KiB has more in Modified UTF-8. */
const FRAMED = 1024;

/** @type {readonly Contest[]} */
export const contests = [
  contest(
    'decode',
    ['utf-8'],
    { [NODE]: 'bytes', encoding_rs: 'bytes', simdutf: 'bytes', ICU: 'bytes', JVM: 'bytes' },
    'bytes',
  ),
  contest('decode', ['cesu-8'], { ICU: 'bytes', JVM: 'bytes' }, 'bytes'),
  contest('readUTF', ['mutf-8'], { JVM: 'frame' }, 'frame', FRAMED),
  contest(
    'encode',
    ['utf-8'],
    { [NODE]: 'text', encoding_rs: 'units', simdutf: 'units', ICU: 'units', JVM: 'text' },
    'text',
  ),
  contest('encode', ['cesu-8'], { ICU: 'units', JVM: 'text' }, 'text'),
  contest('writeUTF', ['mutf-8'], { JVM: 'text' }, 'text', FRAMED),
  contest(
    'validate',
    ['utf-8'],
    { [NODE]: 'bytes', encoding_rs: 'bytes', simdutf8: 'bytes', simdutf: 'bytes' },
    'bytes',
  ),
  contest(
    'transcode',
    ['cesu-8', 'utf-8'],
    { simd_cesu8: 'bytes', cesu8: 'bytes', ICU: 'bytes', JVM: 'bytes' },
    'bytes',
  ),
  contest('transcode', ['mutf-8', 'utf-8'], { simd_cesu8: 'bytes', cesu8: 'bytes' }, 'bytes'),
  contest(
    'transcode',
    ['utf-8', 'cesu-8'],
    { simd_cesu8: 'text', cesu8: 'text', ICU: 'bytes', JVM: 'bytes' },
    'bytes',
  ),
  contest('transcode', ['utf-8', 'mutf-8'], { simd_cesu8: 'text', cesu8: 'text' }, 'bytes'),
];

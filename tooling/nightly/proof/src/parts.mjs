/** The parts that a proof consists of. Each runs by itself, and takes some minutes at most. */
import { findWrongAnswer } from './answers.mjs';
import { linkBytes, linkUnits } from './driver.mjs';
import { listSubjects, listWritten, readWasm } from './subjects.mjs';
import { Disproof, prove } from './symbolic/theorem.mjs';

/** Fillers around the tested bytes: a space, and characters of two and three bytes. */
const FILLERS = [0, 1, 2];
const UNITS = [0x20, 0xe9, 0x4e2d, 0];

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string} variant
 * @property {number} subject Which one of the variant's.
 * @property {keyof typeof runs} kind
 * @property {readonly number[]} values
 */

/**
 * Lists the parts of a whole proof.
 *
 * @param {string} variant
 * @param {{ lanes: number }} options How many of the 16 lanes all words of four bytes visit.
 * @returns {Promise<Part[]>}
 */
export async function listParts(variant, { lanes }) {
  const subjects = await listSubjects(variant);
  return [
    ...subjects.flatMap(({ name }, subject) => {
      const part = (kind, ...values) => ({ name, variant, subject, kind, values });
      return [
        part('theorem'),
        part('characters'),
        part('strings', 5, 0, 64),
        part('strings', 6, 0, 16),
        part('strings', 7, 0, 1),
        part('alike', 4),
        // Conversions to and from UTF-8 visit one lane, which differs from word to word.
        ...sixteenths().map((from) => part('words', from, from + 15, subject === 0 ? lanes : 1)),
      ];
    }),
    ...[
      ['answers'],
      ['units'],
      ['kinds', 7, 32],
      ...sixteenths().map((from) => ['pairs', from << 8, (from << 8) + 0xfff]),
    ].map(([kind, ...values]) => ({
      name: `${variant}: encode`,
      variant,
      subject: 0,
      kind,
      values,
    })),
  ];
}

/** Last blocks that begin, and that end within a character; three full blocks come besides. */
const TAILS = [1, 62];

/**
 * Lists the parts of a proof that takes some seconds.
 *
 * @param {string} variant
 * @returns {Promise<Omit<Part, 'name'>[]>}
 */
export async function listSample(variant) {
  const subjects = await listSubjects(variant);
  const parts = subjects.flatMap((_, subject) => [
    { subject, kind: 'characters', values: [] },
    { subject, kind: 'strings', values: [3, 0, 64] },
    { subject, kind: 'strings', values: [4, 61, 62] },
    { subject, kind: 'alike', values: [2] },
    { subject, kind: 'theorem', values: TAILS },
  ]);
  parts.push(
    { subject: 0, kind: 'strings', values: [5, 59, 60] },
    { subject: 0, kind: 'answers', values: [] },
    { subject: 0, kind: 'kinds', values: [3, 32] },
    { subject: 0, kind: 'pairs', values: [0xd83d, 0xd83d] },
  );
  return parts.map((part) => ({ variant, ...part }));
}

const sixteenths = () => Array.from({ length: 16 }, (_, i) => 16 * i);

/**
 * Runs a part.
 *
 * @param {Pick<Part, 'variant' | 'subject' | 'kind' | 'values'>} part
 * @param {Uint8Array<ArrayBuffer>} [wasm] Another module than the published one.
 * @returns {Promise<{ covered: string, difference: string | undefined }>}
 */
export async function runPart({ variant, subject, kind, values }, wasm = readWasm(variant)) {
  const subjects = await listSubjects(variant, wasm);
  return runs[kind](subjects[subject], values, variant);
}

const runs = {
  /** Inputs of any length, by symbolic runs. */
  theorem(subject, tails) {
    try {
      const options = tails.length > 0 ? { tails } : {};
      const { classes, window, runs, states } = prove(subject, options);
      const what = `${runs} symbolic runs, ${classes} classes, windows of ${window}, ${states} states`;
      return { covered: `inputs of any length (${what})`, difference: undefined };
    } catch (error) {
      if (!(error instanceof Disproof)) throw error;
      return { covered: 'inputs of any length', difference: error.message };
    }
  },

  /** The first and last byte of each range of each row, at all places of a block: each constant of each lane. */
  async characters(subject) {
    const driver = await linkBytes(subject);
    let wrong = 0;
    let count = 0;
    for (const { ranges } of subject.read) {
      for (let ends = 0; ends < 1 << ranges.length; ends++) {
        const bytes = ranges.map(({ first, last }, i) => ((ends >> i) & 1 ? last : first));
        for (const filler of FILLERS) wrong += driver.places(bytes, 0, 64, filler);
        count++;
      }
    }
    return report(driver, `${count} characters at 64 places, among those of 1 to 3 bytes`, wrong);
  },

  /** All strings of so many classes, at some places, among characters of one to three bytes. */
  async strings(subject, [size, from, to]) {
    const driver = await linkBytes(subject);
    let wrong = 0;
    for (const filler of FILLERS) {
      for (let k = 0; k < driver.classes; k++) wrong += driver.strings(size, k, from, to, filler);
    }
    const what = `${driver.classes}^${size} strings of classes, places ${from} to ${to - 1}`;
    return report(driver, `${what}, among characters of 1 to 3 bytes`, wrong);
  },

  /** All strings of so many classes, each class with all of its bytes. */
  async alike(subject, [size]) {
    const driver = await linkBytes(subject);
    let wrong = 0;
    for (let k = 0; k < driver.classes; k++) wrong += driver.alike(size, k, 61);
    const what = `${driver.classes}^${size} strings, each with every byte of each class`;
    return report(driver, what, wrong);
  },

  /** All words of four bytes that begin with some bytes. */
  async words(subject, [first, last, lanes]) {
    const driver = await linkBytes(subject);
    let wrong = 0;
    for (let lead = first; lead <= last; lead++) wrong += driver.words(lead, lanes);
    const span = `${first.toString(16)}000000 to ${last.toString(16)}ffffff`;
    return report(driver, `words ${span} in ${lanes} lanes`, wrong);
  },

  /** Every byte at every place, for those that answer a question. */
  async answers(subject, _, variant) {
    const difference = findWrongAnswer(subject.wasm, await listWritten(variant));
    return { covered: 'every byte at every place of 140, each function that answers', difference };
  },

  /** All code units, at each place of a block and the next, among some of each length. */
  async units(subject, _, variant) {
    const driver = await linkUnits(subject.wasm, await listWritten(variant));
    let wrong = 0;
    for (const filler of UNITS) wrong += driver.units(filler, 0, 40);
    return report(driver, '2^16 code units at 40 places', wrong);
  },

  /** All strings of so many kinds of code units. */
  async kinds(subject, [size, to], variant) {
    const driver = await linkUnits(subject.wasm, await listWritten(variant));
    let wrong = 0;
    for (const filler of UNITS) {
      for (let kind = 0; kind < 6; kind++) wrong += driver.strings(size, kind, filler, 0, to);
    }
    return report(driver, `6^${size} strings of kinds of code units at ${to} places`, wrong);
  },

  /** All pairs of code units whose first is among some. */
  async pairs(subject, [first, last], variant) {
    const driver = await linkUnits(subject.wasm, await listWritten(variant));
    const wrong = driver.pairs(first, last, 0x20, 0);
    const span = `${first.toString(16)} to ${last.toString(16)}`;
    return report(driver, `pairs of code units, the first ${span}`, wrong);
  },
};

function report(driver, covered, wrong) {
  const first = driver.takeDifference();
  const difference = first && `${wrong} differences, the first: ${JSON.stringify(first)}`;
  return { covered, difference };
}

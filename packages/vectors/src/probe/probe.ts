/** Feeds a reader all vectors and more, and tells what it is. */

import { rows } from '../generated/rows.js';
import type { Variant } from '../generated/variant.js';
import { type Answer, isSameAnswer, isSameText } from './answer.js';
import { classify, type Deviation, Deviations, type Miss } from './deviation.js';
import { findResemblances, type Resemblance, takeFingerprint } from './fingerprint.js';
import { type Fit, fit } from './fit.js';
import * as inputs from './input.js';
import { joinInputs, splitAnswer } from './join.js';
import { findMode, isCodePoint, type ModeName } from './mode.js';
import { Model } from './model.js';
import { countings, type Practice } from './practice.js';
import type { DeviationKind, Quirk } from './quirk.js';
import { endings, forEach, type Output, ProbeError, type Read, Subject } from './subject.js';

/** Options of {@link probe}. */
export interface ProbeOptions {
  /** What the reader should be, from which it may deviate; the closest variant by default. */
  readonly as?: Variant;
  /**
   * Reads an input that arrives in two parts, if the reader can: finds what it loses between.
   *
   * @param parts - The bytes, in two parts.
   * @returns What the reader returns for them.
   */
  readonly readParts?: (parts: readonly Uint8Array[]) => Output | Promise<Output>;
  /**
   * Whether to read many vectors at once if the reader refuses no faults, and each again that is in doubt;
   * false by default.
   */
  readonly join?: boolean;
  /** Whether to read every vector twice, in two orders, and to try every position within blocks; false by default. */
  readonly isThorough?: boolean;
  /** How many inputs are read at the same time: 1 by default. */
  readonly concurrency?: number;
  /**
   * Receives the progress.
   *
   * @param done - The number of inputs that were read so far.
   * @param total - An estimate of their number.
   */
  readonly onProgress?: (done: number, total: number) => void;
}

/** How a reader read one vector. */
export interface VectorAnswer {
  /** The id of the vector. */
  readonly id: string;
  /** Code points; undefined for a refusal, or a failure. */
  readonly text?: readonly number[];
  /** Why there is no answer: a verb phrase, such as `hangs`. */
  readonly failure?: string;
}

/** What a reader is, as {@link probe} finds it. */
export interface ProbeReport {
  /** Grows when the format changes in a way that readers must know of. */
  readonly format: 1;
  /** The variant that explains most of what the reader did. */
  readonly variant: Variant;
  /** The name of the variant, such as `UTF-8`. */
  readonly name: string;
  /** The variant that `deviations` are from. */
  readonly judgedAs: Variant;
  /** Whether there are no deviations. */
  readonly isExact: boolean;
  /** Whether the reader gives every input back unchanged, so that it has decoded nothing. */
  readonly isEcho: boolean;
  /** What the reader does with malformed bytes. */
  readonly malformed: {
    /** The kind of what it does. */
    readonly mode: ModeName;
    /** The same in words. */
    readonly does: string;
    /** How many U+FFFD it writes; undefined if it writes none. */
    readonly practice?: Practice;
    /** The same in words. */
    readonly counts?: string;
  };
  /** What the reader does with U+FEFF at the start. */
  readonly bom: 'keeps' | 'strips' | 'otherwise';
  /** What the reader prints after every text: nothing, LF, or CR LF. */
  readonly ending: string;
  /** Where the reader does what a conforming reader may do as well. */
  readonly notes: readonly string[];
  /** Where the reader deviates from what it should do. */
  readonly deviations: readonly Deviation[];
  /** Known readers that behave just alike, or else the closest ones. */
  readonly resembles: readonly Resemblance[];
  /** One character for how the reader read each vector. */
  readonly fingerprint: string;
  /** How the reader read each vector. */
  readonly vectors: readonly VectorAnswer[];
  /** The number of inputs that the reader has read. */
  readonly inputs: number;
}

/** Texts that every reader prints as they are; one that prints the same for both reads neither. */
const GREETINGS = ['Hello, world', 'Good morning'] as const;
const toBytes = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));
const A = toBytes('A');

/** How many unexplained readings are asked for again, and how many others. */
const DOUBTFUL = 60;
const SAMPLE = 24;

/**
 * Feeds a reader every vector, and text of every length and position, and tells which variant it
 * implements, what it does with malformed bytes, and where it deviates.
 *
 * @param read - Reads bytes: returns text or code points, or refuses by an error or `undefined`.
 * @param options - How the reader is asked.
 * @returns The report.
 * @throws ProbeError if the reader does not return `Hello, world` and `Good morning` for their bytes.
 * @example
 * ```ts
 * import { probe } from '@utf8/vectors/probe';
 *
 * const report = await probe((bytes) => new TextDecoder().decode(bytes));
 * report.variant; // => 'utf-8'
 * report.malformed.practice; // => 'maximal-subparts'
 * report.bom; // => 'strips'
 * report.deviations; // => []
 * ```
 * @see Unicode 16.0, section 3.9, "U+FFFD Substitution of Maximal Subparts"; UTR #36, section 3
 */
export async function probe(read: Read, options: ProbeOptions = {}): Promise<ProbeReport> {
  return new Probe(read, options).run();
}

/** The start of a text, in quotes; a byte order mark is invisible. */
function show(text: readonly number[]): string {
  const characters = text
    .slice(0, 60)
    .map((value) => (isCodePoint(value) ? String.fromCodePoint(value) : '?'));
  return JSON.stringify(characters.join('')).replaceAll('\ufeff', '\\ufeff');
}

class Probe {
  readonly #subject: Subject;
  readonly #options: ProbeOptions;
  readonly #deviations = new Deviations();
  readonly #observed = [...inputs.vectorInputs, ...inputs.textInputs];
  /** Ids of vectors that were read among others. */
  readonly #joined = new Set<string>();
  /** Ids of inputs that are read differently each time, or differently after others. */
  readonly #unsteady = new Set<string>();
  /** Whether a vector was read differently among others than alone. */
  #isMisplaced = false;
  /** Whether so much is unsteady that there is no use in a closer look. */
  #isErratic = false;

  constructor(read: Read, options: ProbeOptions) {
    this.#subject = new Subject(read);
    this.#options = options;
  }

  async run(): Promise<ProbeReport> {
    await this.#greet();
    const ff = await this.#subject.read(inputs.ff);
    const trail = await this.#subject.read(inputs.trail);
    const mode = findMode(ff.text, trail.text);
    this.#expect(this.#observed.length);
    const answers = await this.#readAll(mode.render !== undefined);
    const explain = (variants?: readonly Variant[]): Fit =>
      fit(
        this.#observed.map(({ bytes }, i) => ({ bytes, text: answers[i]?.text })),
        mode,
        variants,
      );
    const { as } = this.#options;
    const judged = as && [as];
    let found = explain(judged);
    await this.#askAgain(found, answers);
    if (found.misses.length > 0) found = explain(judged);
    const { model } = found;
    if (this.#options.isThorough) await this.#readBackwards(answers);
    await this.#readSequels(model);
    await this.#readBlocks(model);
    await this.#readLong(model);
    await this.#readParts(model);
    this.#explainMisses(found, answers);
    const isAsWanted = found.misses.length === 0 && model.options.quirks.length === 0;
    const closest = as && !isAsWanted ? explain().model.options.variant : model.options.variant;
    return this.#report(model, answers, closest);
  }

  /** Finds out whether there is a reader at all, and what it prints after every text. */
  async #greet(): Promise<void> {
    for (const [i, greeting] of GREETINGS.entries()) {
      const { text, failure } = await this.#subject.read(toBytes(greeting));
      if (failure !== undefined) throw new ProbeError(`${failure}, given "${greeting}"`);
      if (!text) throw new ProbeError(`refuses "${greeting}"`);
      const expected = Array.from(toBytes(greeting));
      const ending = (i === 0 ? endings : [[]]).find((each) =>
        isSameText(text, [...expected, ...each]),
      );
      if (!ending) throw new ProbeError(`prints ${show(text)}, given "${greeting}"`);
      if (i === 0) this.#subject.ending = ending;
    }
  }

  #total = 0;

  /** Adds to the estimate of inputs. */
  #expect(count: number): void {
    this.#total += count;
    const { onProgress } = this.#options;
    this.#subject.onRead = () => {
      onProgress?.(this.#subject.count, Math.max(this.#total, this.#subject.count));
    };
  }

  #each<Item, Result>(items: readonly Item[], task: (item: Item) => Promise<Result>) {
    return forEach(items, this.#options.concurrency ?? 1, task);
  }

  async #readAll(canJoin: boolean): Promise<Answer[]> {
    const joined = new Map<string, Answer>();
    if (this.#options.join && canJoin) {
      const together = inputs.vectorInputs.filter((input) => !inputs.mustStandAlone(input));
      const answer = await this.#subject.read(joinInputs(together));
      splitAnswer(answer, together.length).forEach((part, i) => {
        if (part) joined.set(together[i]?.id as string, part);
      });
    }
    for (const id of joined.keys()) this.#joined.add(id);
    return this.#each(
      this.#observed,
      async ({ id, bytes }) => joined.get(id) ?? (await this.#subject.read(bytes)),
    );
  }

  /** Reads again, alone, what was read among others: once a vector differs, the others may as well. */
  async #readApart(answers: Answer[]): Promise<void> {
    const rest = this.#observed.flatMap(({ id }, i) => (this.#joined.has(id) ? [i] : []));
    this.#expect(rest.length);
    await this.#each(rest, (i) => this.#readAgain(i, answers));
  }

  async #readAgain(i: number, answers: Answer[]): Promise<void> {
    const { bytes } = this.#observed[i] as inputs.Input;
    const answer = await this.#subject.read(bytes);
    await this.#compare(i, answers[i] as Answer, answer);
    answers[i] = answer;
  }

  /** Asks again for what is not explained, and for a sample of the rest. */
  async #askAgain({ misses }: Fit, answers: Answer[]): Promise<void> {
    const step = Math.ceil(answers.length / SAMPLE);
    const sample = Array.from({ length: SAMPLE }, (_, i) => i * step + (step >> 1)).filter(
      (i) => i < answers.length && !misses.includes(i),
    );
    const doubtful = misses.slice(0, DOUBTFUL);
    const again = [...doubtful, ...sample];
    this.#expect(again.length);
    await this.#each(again, async (i) => {
      // What has nothing to leave behind, once or twice: some readers alternate.
      for (let times = i % 2; this.#options.isThorough && times < 2; times++) {
        await this.#subject.read(A);
      }
      await this.#readAgain(i, answers);
    });
    this.#isErratic = this.#unsteady.size * 4 > doubtful.length;
    if (this.#isMisplaced) await this.#readApart(answers);
  }

  /** Reads all once more, from the end to the start. */
  async #readBackwards(answers: readonly Answer[]): Promise<void> {
    for (let i = answers.length - 1; i >= 0; i--) {
      const { id, bytes } = this.#observed[i] as inputs.Input;
      if (this.#unsteady.has(id)) continue;
      await this.#compare(i, answers[i] as Answer, await this.#subject.read(bytes));
    }
  }

  /** Reports an input if it was read in two ways. */
  async #compare(i: number, before: Answer, now: Answer): Promise<void> {
    const input = this.#observed[i] as inputs.Input;
    const wasJoined = this.#joined.delete(input.id);
    if (isSameAnswer(before, now)) return;
    if (wasJoined && isSameAnswer(now, await this.#subject.read(input.bytes))) {
      this.#isMisplaced = true;
      this.#deviations.add(...misplaced, { input, expected: before.text, answer: now });
    } else await this.#reportUnsteady(input, before, now);
  }

  async #reportUnsteady(input: inputs.Input, before: Answer, now: Answer): Promise<void> {
    this.#unsteady.add(input.id);
    const third = await this.#subject.read(input.bytes);
    const fourth = await this.#subject.read(input.bytes);
    const miss: Miss = { input, expected: before.text, answer: now };
    if (isSameAnswer(third, fourth) && (isSameAnswer(third, now) || isSameAnswer(third, before))) {
      this.#deviations.add(
        'depends on earlier input',
        'reads an input differently after other inputs',
        miss,
      );
    } else {
      this.#deviations.add(
        'is not deterministic',
        'reads the same bytes differently each time',
        miss,
      );
    }
  }

  /** Reads inputs of which the first may leave something to the second. */
  async #readSequels(model: Model): Promise<void> {
    this.#expect(2 * inputs.sequels.length);
    for (const [id, first, bytes] of inputs.sequels) {
      await this.#subject.read(first);
      const answer = await this.#subject.read(bytes);
      const shows = `${inputs.spellBytes(bytes)}, after an input of ${inputs.spellBytes(first)}`;
      const expected = model.read(bytes);
      if (isSameText(answer.text, expected)) continue;
      const alone = await this.#subject.read(bytes);
      if (isSameAnswer(alone, answer)) continue;
      const miss: Miss = { input: { id, bytes, shows }, expected, answer };
      this.#deviations.add(
        'depends on earlier input',
        'reads an input differently after other inputs',
        miss,
      );
    }
  }

  async #readBlocks(model: Model): Promise<void> {
    const blocks = inputs.listBlocks(this.#options.isThorough ?? false);
    for (const miss of await this.#findMisplaced([...blocks, ...inputs.late], model)) {
      if (isCut(miss)) this.#deviations.add(...truncation, miss);
      else this.#deviations.add(...misplaced, miss);
    }
  }

  /** Finds misses that are none after a single byte. */
  async #findMisplaced(all: readonly inputs.Placed[], model: Model): Promise<Miss[]> {
    const near = new Map<string, Promise<boolean>>();
    const isReadWhenNear = (bytes: Uint8Array): Promise<boolean> => {
      const key = inputs.spellBytes(bytes);
      const known =
        near.get(key) ??
        this.#subject.read(bytes).then(({ text }) => isSameText(text, model.read(bytes)));
      near.set(key, known);
      return known;
    };
    const placed = new Map(all.map((input) => [input.id, input]));
    const misses: Miss[] = [];
    for (const miss of await this.#findMisses(all, model)) {
      if (await isReadWhenNear(placed.get(miss.input.id)?.near as Uint8Array)) misses.push(miss);
    }
    return misses;
  }

  async #readLong(model: Model): Promise<void> {
    const long = inputs.listLong((bytes) => model.accepts(bytes));
    for (const miss of await this.#findMisses(long, model)) {
      if (isCut(miss)) this.#deviations.add(...truncation, miss);
      else {
        const does = 'loses or breaks sequences at the edges of its buffer';
        this.#deviations.add('depends on where reads end', does, miss);
      }
    }
  }

  async #readParts(model: Model): Promise<void> {
    const { readParts } = this.#options;
    if (!readParts) return;
    this.#expect(inputs.parts.length);
    await this.#each(inputs.parts, async ([id, one, other]) => {
      const bytes = Uint8Array.from([...one, ...other]);
      const answer = await this.#subject.finish(() => readParts([one.slice(), other.slice()]));
      const expected = model.read(bytes);
      if (isSameText(answer.text, expected)) return;
      const whole = await this.#subject.read(bytes);
      if (isSameAnswer(whole, answer)) return;
      const shows = `${inputs.spellBytes(one)}, and ${inputs.spellBytes(other)} some time after it`;
      const miss: Miss = { input: { id, bytes, shows }, expected: whole.text, answer };
      if (answer.failure !== undefined) this.#addFailures([miss]);
      else {
        const does = 'reads a sequence differently if it arrives in two parts';
        this.#deviations.add('depends on where reads end', does, miss);
      }
    });
  }

  /** Reads inputs, and once more what the model does not explain. */
  async #findMisses(all: readonly inputs.Input[], model: Model): Promise<Miss[]> {
    this.#expect(all.length);
    const misses: Miss[] = [];
    await this.#each(all, async (input) => {
      const expected = model.read(input.bytes);
      const isFine = ({ failure, text }: Answer): boolean =>
        failure === undefined && isSameText(text, expected);
      const answer = await this.#subject.read(input.bytes);
      if (isFine(answer)) return;
      const miss: Miss = { input, expected, answer };
      if (answer.failure !== undefined) return this.#addFailures([miss]);
      if (this.#options.isThorough) await this.#subject.read(A);
      const again = await this.#subject.read(input.bytes);
      if (isSameAnswer(answer, again)) misses.push(miss);
      else await this.#reportUnsteady(input, answer, again);
    });
    return misses;
  }

  #addFailures(misses: readonly Miss[]): void {
    for (const miss of misses) {
      const { failure } = miss.answer;
      if (failure !== undefined) this.#deviations.add('hangs or crashes', failure, miss);
    }
  }

  /** What quirks explain, and what nothing does. */
  #explainMisses({ model, misses }: Fit, answers: readonly Answer[]): void {
    const { quirks } = model.options;
    for (const quirk of quirks) {
      if (!quirk.kind) continue;
      this.#deviations.addAll(quirk.kind, quirk.words, this.#findShown(quirk, model, answers));
    }
    // To the model, no answer looks like a refusal.
    this.#addFailures(
      this.#observed.map((input, i) => ({
        input,
        expected: model.read(input.bytes),
        answer: answers[i] as Answer,
      })),
    );
    if (this.#isErratic) return;
    const left = misses.filter((i) => {
      const { id } = this.#observed[i] as inputs.Input;
      return !this.#unsteady.has(id) && answers[i]?.failure === undefined;
    });
    const foreign = left.filter((i) => this.#isForeign(i, answers[i] as Answer, model));
    const isCached = foreign.length * 2 > left.length;
    for (const i of left) {
      const input = this.#observed[i] as inputs.Input;
      const miss: Miss = { input, expected: model.read(input.bytes), answer: answers[i] as Answer };
      const owned = isCached && this.#hasOwner(i, miss.answer, model);
      if (owned)
        this.#deviations.add('answers from a cache', 'gives the answer of another input', miss);
      else this.#deviations.add(...classify(miss, model.options.mode), miss);
    }
  }

  /** What would be read otherwise without a quirk. */
  #findShown(quirk: Quirk, model: Model, answers: readonly Answer[]): Miss[] {
    const without = new Model({
      ...model.options,
      quirks: model.options.quirks.filter((each) => each !== quirk),
    });
    return this.#observed.flatMap((input, i) => {
      const expected = without.read(input.bytes);
      const answer = answers[i] as Answer;
      const isShown =
        !isSameText(expected, model.read(input.bytes)) && !isSameText(expected, answer.text);
      return isShown ? [{ input, expected, answer }] : [];
    });
  }

  /** Whether an answer has characters that its input lacks, and is right for an earlier one. */
  #isForeign(i: number, answer: Answer, model: Model): boolean {
    const own = new Set(model.read((this.#observed[i] as inputs.Input).bytes));
    const { text = [] } = answer;
    return (
      text.some((value) => value !== 0xfffd && !own.has(value)) && this.#hasOwner(i, answer, model)
    );
  }

  #hasOwner(i: number, { text }: Answer, model: Model): boolean {
    return this.#observed.slice(0, i).some(({ bytes }) => isSameText(model.read(bytes), text));
  }

  #report(model: Model, answers: readonly Answer[], variant: Variant): ProbeReport {
    const { quirks, practice, mode, variant: judgedAs } = model.options;
    const vectors = inputs.vectorInputs.map(({ id }, i): VectorAnswer => {
      const { text, failure } = answers[i] as Answer;
      return { id, ...(text && { text }), ...(failure !== undefined && { failure }) };
    });
    const modeKind = modeKinds[mode.name];
    const isEcho = mode.name === 'passes on';
    if (modeKind) {
      this.#deviations.addAll(modeKind, mode.words, this.#listMalformed(model, answers));
    }
    const deviations = this.#deviations.list();
    const hasPractice = mode.name === 'replaces';
    const fingerprint = takeFingerprint(answers.slice(0, vectors.length));
    return {
      format: 1,
      variant,
      name: rows[variant].name,
      judgedAs,
      isExact: deviations.length === 0,
      isEcho,
      malformed: {
        mode: mode.name,
        does: mode.words,
        ...(hasPractice && { practice, counts: countings[practice].words }),
      },
      bom: this.#describeBom(answers),
      ending: String.fromCharCode(...this.#subject.ending),
      notes: quirks.filter(({ kind }) => !kind).map(({ words }) => words),
      deviations,
      resembles: findResemblances(fingerprint),
      fingerprint,
      vectors,
      inputs: this.#subject.count,
    };
  }

  /** The vectors in which the mode shows. */
  #listMalformed(model: Model, answers: readonly Answer[]): Miss[] {
    return inputs.vectorInputs.flatMap((input, i) => {
      return !model.accepts(input.bytes)
        ? [{ input, expected: undefined, answer: answers[i] as Answer }]
        : [];
    });
  }

  #describeBom(answers: readonly Answer[]): ProbeReport['bom'] {
    const { text } = answers[this.#observed.findIndex(({ id }) => id === 'bom/first')] as Answer;
    if (text?.join() === '65279,65') return 'keeps';
    return text?.join() === '65' ? 'strips' : 'otherwise';
  }
}

const misplaced: readonly [DeviationKind, does: string] = [
  'depends on the position',
  'reads bytes otherwise after other text',
];

const truncation: readonly [DeviationKind, does: string] = [
  'truncates long text',
  'loses the end of long text',
];

/** Whether the end of a long text is missing; the last unit may be the first surrogate of a pair. */
function isCut({ expected = [], answer: { text } }: Miss): boolean {
  if (!text || text.length < 1000 || text.length >= expected.length) return false;
  const at = text.findIndex((value, i) => value !== expected[i]);
  return at < 0 || at === text.length - 1;
}

/** Ways to treat malformed bytes that are no way to treat them. */
const modeKinds: Readonly<Partial<Record<ModeName, DeviationKind>>> = {
  drops: 'drops malformed bytes',
  stops: 'stops in silence',
  'passes on': 'passes malformed bytes on',
  surrogateescape: 'accepts surrogates',
  'windows-1252': 'guesses another encoding',
  'latin-1': 'guesses another encoding',
};

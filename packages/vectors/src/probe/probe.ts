/** Feeds a reader all vectors and other inputs, and reports its behaviour. */

import { rows } from '../generated/rows.js';
import type { Variant } from '../generated/variant.js';
import { type Answer, isSameAnswer, isSameText } from './answer.js';
import { type Deviation, Deviations, describeMiss, type Miss } from './deviation.js';
import { computeFingerprint, findResemblances, type Resemblance } from './fingerprint.js';
import { type Fit, fit } from './fit.js';
import * as inputs from './input.js';
import { joinInputs, splitAnswer } from './join.js';
import { findMode, isCodePoint, type ModeName } from './mode.js';
import { Model } from './model.js';
import { countings, type Practice } from './practice.js';
import type { DeviationKind, Quirk } from './quirk.js';
import { isSpelled } from './spelled.js';
import { endings, forEach, type Output, ProbeError, type Read, Subject } from './subject.js';

/** Options of {@link probe}. */
export interface ProbeOptions {
  /** The variant that deviations refer to; the closest one by default. */
  readonly as?: Variant;
  /**
   * Reads an input that arrives in two parts, to find sequences that the reader loses between them.
   *
   * @param parts - The bytes, in two parts.
   * @returns The result of the reader.
   */
  readonly readParts?: (parts: readonly Uint8Array[]) => Output | Promise<Output>;
  /**
   * True to read many vectors at once if the reader refuses no faults, and unexplained ones again alone;
   * false by default.
   */
  readonly join?: boolean;
  /** True to read every vector twice, in two orders, and to try every position within blocks; false by default. */
  readonly isThorough?: boolean;
  /** Number of inputs that are read at the same time; 1 by default. */
  readonly concurrency?: number;
  /**
   * Receives the progress.
   *
   * @param done - Number of inputs that were read.
   * @param total - An estimate of their number.
   */
  readonly onProgress?: (done: number, total: number) => void;
}

/** The answer of a reader to one vector. */
export interface VectorAnswer {
  /** The id of the vector. */
  readonly id: string;
  /** The text as code points; undefined for a refusal or a failure. */
  readonly text?: readonly number[];
  /** The reason for a missing answer, as a verb phrase such as `hangs`. */
  readonly failure?: string;
}

/** The report of {@link probe} on a reader. */
export interface ProbeReport {
  /** Version of the format; incompatible changes increase it. */
  readonly format: 1;
  /** The variant that explains the most answers. */
  readonly variant: Variant;
  /** The name of the variant, such as `UTF-8`. */
  readonly name: string;
  /** The variant that `deviations` refer to. */
  readonly reference: Variant;
  /** True if there are no deviations. */
  readonly isExact: boolean;
  /** True if the reader returns malformed bytes unchanged, so that nothing shows whether it decodes. */
  readonly isEcho: boolean;
  /** The treatment of malformed bytes. */
  readonly malformed: {
    /** The kind of treatment. */
    readonly mode: ModeName;
    /** The treatment as a verb phrase. */
    readonly does: string;
    /** The practice of counting U+FFFD; undefined if the reader writes none. */
    readonly practice?: Practice;
    /** The practice in words. */
    readonly counts?: string;
  };
  /** The treatment of U+FEFF at the start. */
  readonly bom: 'keeps' | 'strips' | 'otherwise';
  /** The text that the reader prints after every other: empty, LF, or CR LF. */
  readonly ending: string;
  /** Quirks that a conforming reader may have, as verb phrases. */
  readonly notes: readonly string[];
  /** Deviations from the reference. */
  readonly deviations: readonly Deviation[];
  /** The known readers with the fewest differences, if these are few. */
  readonly resembles: readonly Resemblance[];
  /** One character for the answer to each vector. */
  readonly fingerprint: string;
  /** The answer to each vector. */
  readonly vectors: readonly VectorAnswer[];
  /** Number of inputs that the reader read. */
  readonly inputs: number;
}

/** Two texts, so that a reader that always prints the same is refused. */
const GREETINGS = ['Hello, world', 'Good morning'] as const;
const toBytes = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));
const A = toBytes('A');

/** Greatest number of unexplained answers that are read again. */
const MAX_RETRIES = 60;
/** Number of explained answers that are read again. */
const SAMPLE = 24;

/**
 * Feeds a reader every vector, and text of many lengths and positions. Reports the variant that the reader
 * implements, its treatment of malformed bytes, and its deviations.
 *
 * @param read - Reads bytes: returns text or code points; refuses by an error or `undefined`.
 * @param options - The reference, and the inputs to read in addition.
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

/** Quotes the start of a text, with byte order marks escaped. */
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
  /** Ids of vectors that were read together with others. */
  readonly #joined = new Set<string>();
  /** Ids of inputs whose answers vary, or depend on earlier inputs. */
  readonly #unsteady = new Set<string>();
  /** True if a vector was read differently together with others than alone. */
  #isMisplaced = false;
  /** True if so many answers vary that misses are not worth explaining. */
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
    const references = as && [as];
    let found = explain(references);
    await this.#askAgain(found, answers);
    if (found.misses.length > 0) found = explain(references);
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

  /** Checks that the reader reads, and finds the ending that it prints after every text. */
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

  /** Reads vectors again, alone, that were read together: if one differs, the others may too. */
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

  /** Reads unexplained inputs again, and a sample of the others. */
  async #askAgain({ misses }: Fit, answers: Answer[]): Promise<void> {
    const step = Math.ceil(answers.length / SAMPLE);
    const sample = Array.from({ length: SAMPLE }, (_, i) => i * step + (step >> 1)).filter(
      (i) => i < answers.length && !misses.includes(i),
    );
    const retries = misses.slice(0, MAX_RETRIES);
    const again = [...retries, ...sample];
    this.#expect(again.length);
    await this.#each(again, async (i) => {
      // A plain letter in between, once or twice, since the answers of some readers alternate.
      for (let times = i % 2; this.#options.isThorough && times < 2; times++) {
        await this.#subject.read(A);
      }
      await this.#readAgain(i, answers);
    });
    this.#isErratic = this.#unsteady.size * 4 > retries.length;
    if (this.#isMisplaced) await this.#readApart(answers);
  }

  /** Reads all inputs once more, from the last to the first. */
  async #readBackwards(answers: readonly Answer[]): Promise<void> {
    for (let i = answers.length - 1; i >= 0; i--) {
      const { id, bytes } = this.#observed[i] as inputs.Input;
      if (this.#unsteady.has(id)) continue;
      await this.#compare(i, answers[i] as Answer, await this.#subject.read(bytes));
    }
  }

  /** Reports an input if its two answers differ. */
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

  /** Reads pairs of inputs, in which the first must not change the answer to the second. */
  async #readSequels(model: Model): Promise<void> {
    this.#expect(2 * inputs.sequels.length);
    for (const [id, first, bytes] of inputs.sequels) {
      await this.#subject.read(first);
      const answer = await this.#subject.read(bytes);
      const description = `${inputs.formatHex(bytes)}, after an input of ${inputs.formatHex(first)}`;
      const expected = model.read(bytes);
      if (isSameText(answer.text, expected)) continue;
      const alone = await this.#subject.read(bytes);
      if (isSameAnswer(alone, answer)) continue;
      const miss: Miss = { input: { id, bytes, description }, expected, answer };
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

  /** Finds misses of sequences that are read correctly after a single byte. */
  async #findMisplaced(all: readonly inputs.Placed[], model: Model): Promise<Miss[]> {
    const near = new Map<string, Promise<boolean>>();
    const isReadWhenNear = (bytes: Uint8Array): Promise<boolean> => {
      const key = inputs.formatHex(bytes);
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
        this.#deviations.add('depends on the size of reads', does, miss);
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
      const description = `${inputs.formatHex(one)}, and later ${inputs.formatHex(other)}`;
      const miss: Miss = { input: { id, bytes, description }, expected: whole.text, answer };
      if (answer.failure !== undefined) this.#addFailures([miss]);
      else {
        const does = 'reads a sequence differently if it arrives in two parts';
        this.#deviations.add('depends on the size of reads', does, miss);
      }
    });
  }

  /** Reads inputs, and unexplained ones once more. */
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

  /** Reports the deviations that quirks explain, and the other misses. */
  #explainMisses({ model, misses }: Fit, answers: readonly Answer[]): void {
    const { quirks } = model.options;
    for (const quirk of quirks) {
      if (!quirk.kind) continue;
      this.#deviations.addAll(quirk.kind, quirk.words, this.#findShown(quirk, model, answers));
    }
    // A failure has no text, which the model reads as a refusal.
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
    const foreign = new Set(left.filter((i) => this.#isForeign(i, answers[i] as Answer, model)));
    const isCached = foreign.size * 2 > left.length;
    for (const i of left) {
      const input = this.#observed[i] as inputs.Input;
      const miss: Miss = { input, expected: model.read(input.bytes), answer: answers[i] as Answer };
      if (isCached && foreign.has(i))
        this.#deviations.add('answers from a cache', 'gives the answer of another input', miss);
      else this.#deviations.add(...describeMiss(miss, model.options.mode), miss);
    }
  }

  /** Finds the inputs that the model would read differently without a quirk. */
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

  /** Tells whether an answer is right for an earlier input, and its own bytes do not encode it. */
  #isForeign(i: number, { text }: Answer, model: Model): boolean {
    if (!text) return false;
    const { bytes } = this.#observed[i] as inputs.Input;
    const { render } = model.options.mode;
    const replacements = new Set([0xfffd]);
    for (let at = 0; render && at < bytes.length; at++) {
      for (const value of render(bytes.subarray(at, at + 1))) replacements.add(value);
    }
    if (isSpelled(bytes, text, (value) => replacements.has(value))) return false;
    return this.#observed.slice(0, i).some((other) => isSameText(model.read(other.bytes), text));
  }

  #report(model: Model, answers: readonly Answer[], variant: Variant): ProbeReport {
    const { quirks, practice, mode, variant: reference } = model.options;
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
    const fingerprint = computeFingerprint(answers.slice(0, vectors.length));
    return {
      format: 1,
      variant,
      name: rows[variant].name,
      reference,
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

  /** Lists the vectors that are malformed in the model. */
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

/** Tells whether the end of a long text is missing. The last code unit may be a high surrogate. */
function isCut({ expected = [], answer: { text } }: Miss): boolean {
  if (!text || text.length < 1000 || text.length >= expected.length) return false;
  const at = text.findIndex((value, i) => value !== expected[i]);
  return at < 0 || at === text.length - 1;
}

/** Treatments of malformed bytes that are deviations. */
const modeKinds: Readonly<Partial<Record<ModeName, DeviationKind>>> = {
  drops: 'drops malformed bytes',
  stops: 'stops in silence',
  'passes on': 'passes malformed bytes on',
  surrogateescape: 'accepts surrogates',
  'windows-1252': 'guesses another encoding',
  'latin-1': 'guesses another encoding',
};

/** Searches the model that explains what a reader did. */
import { rows } from '../generated/rows.js';
import type { Variant } from '../generated/variant.js';
import { isSameText } from './answer.js';
import type { Mode } from './mode.js';
import { Model } from './model.js';
import { type Practice, practices } from './practice.js';
import { type Quirk, quirks } from './quirk.js';

/** An input and what the reader returned: text, or undefined for a refusal. */
export interface Observation {
  readonly bytes: Uint8Array;
  readonly text: readonly number[] | undefined;
}

export interface Fit {
  readonly model: Model;
  /** Indices of the observations that the model does not explain. */
  readonly misses: readonly number[];
}

/**
 * The indices of what a model does not explain; stops once there are more than `most`.
 *
 * @param first - What to try first: what another model does not explain is likely to count.
 */
function findMisses(
  model: Model,
  observations: readonly Observation[],
  first: readonly number[] = [],
  most = Infinity,
): number[] {
  const misses: number[] = [];
  const tried = new Set(first);
  const isMissed = (i: number): boolean => {
    const { bytes, text } = observations[i] as Observation;
    return !isSameText(model.read(bytes), text);
  };
  for (const i of first) if (isMissed(i)) misses.push(i);
  for (let i = 0; i < observations.length && misses.length <= most; i++) {
    if (!tried.has(i) && isMissed(i)) misses.push(i);
  }
  return misses.sort((one, other) => one - other);
}

/** Whether one `text` for each fault is the same for all practices. */
const countsMatter = ({ name }: Mode): boolean => name === 'replaces' || name === 'escapes';

/** How much the quirks of a model must explain: a single observation is a deviation of its own. */
const price = (quirks: readonly Quirk[]): number =>
  quirks.reduce((sum, { price = 1 }) => sum + price, 0);

/** How many of the best variants are tried with quirks, beside UTF-8. */
const CANDIDATES = 3;

export const allVariants: readonly Variant[] = Object.keys(rows) as Variant[];

/** Finds variant, practice and quirks that leave the fewest observations unexplained. */
export function fit(
  observations: readonly Observation[],
  mode: Mode,
  variants: readonly Variant[] = allVariants,
): Fit {
  const wanted: readonly Practice[] = countsMatter(mode) ? practices : ['maximal-subparts'];
  const plain = variants.map((variant) =>
    cheapest(
      wanted.map((practice) => {
        const model = new Model({ variant, practice, quirks: [], mode });
        return { model, misses: findMisses(model, observations) };
      }),
    ),
  );
  const best = cheapest(plain);
  if (best.misses.length === 0) return best;
  // UTF-8 with a few exceptions is what most readers are.
  const rivals = [...plain].sort((one, other) => cost(one) - cost(other)).slice(0, CANDIDATES);
  return cheapest(
    plain
      .filter((each, i) => i === 0 || rivals.includes(each))
      .map((each) => improve(each, observations)),
  );
}

/** The first of the fits with the lowest cost: a tie goes to the variant and practice that come first. */
const cheapest = (fits: readonly Fit[]): Fit =>
  fits.reduce((best, each) => (cost(each) < cost(best) ? each : best));

const cost = ({ model, misses }: Fit): number => misses.length + price(model.options.quirks);

/** Adds the quirk, or changes the practice, that explains most of what is left, until none does. */
function improve(start: Fit, observations: readonly Observation[]): Fit {
  let best = start;
  for (;;) {
    const { options } = best.model;
    const has = ({ id }: Quirk): boolean => options.quirks.some((quirk) => quirk.id === id);
    const next = [
      ...practices
        .filter((practice) => practice !== options.practice && countsMatter(options.mode))
        .map((practice) => ({ ...options, practice })),
      ...quirks
        .filter((quirk) => !has(quirk))
        .map((quirk) => ({ ...options, quirks: [...options.quirks, quirk] })),
      // What was chosen early may be explained better by what was chosen since.
      ...options.quirks.map((quirk) => ({
        ...options,
        quirks: options.quirks.filter((each) => each !== quirk),
      })),
    ];
    let found: Fit | undefined;
    for (const each of next) {
      const model = new Model(each);
      const limit = cost(found ?? best) - price(each.quirks);
      const misses = findMisses(model, observations, best.misses, limit);
      if (cost({ model, misses }) < cost(found ?? best)) found = { model, misses };
    }
    if (!found) return best;
    best = found;
  }
}

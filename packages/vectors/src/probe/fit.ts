/** Finds the model that explains the answers of a reader. */
import { rows } from '../generated/rows.js';
import type { Variant } from '../generated/variant.js';
import { isSameText } from './answer.js';
import type { Mode } from './mode.js';
import { Model } from './model.js';
import { type Practice, practices } from './practice.js';
import { type Quirk, quirks } from './quirk.js';

/** An input and the text that the reader returned; undefined for a refusal. */
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
 * Finds the indices of observations that a model does not explain; stops after more than `most`.
 *
 * @param first - Indices to try first: misses of another model are likely misses of this one.
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

/** Tells whether practices of counting faults lead to different texts. */
const countsMatter = ({ name }: Mode): boolean => name === 'replaces' || name === 'escapes';

/** Returns the number of observations that the quirks of a model must explain to be worth adding. */
const price = (quirks: readonly Quirk[]): number =>
  quirks.reduce((sum, { price = 1 }) => sum + price, 0);

/** Number of the best variants that are tried with quirks, in addition to UTF-8. */
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
  // Most readers are UTF-8 with a few exceptions.
  const rivals = [...plain].sort((one, other) => cost(one) - cost(other)).slice(0, CANDIDATES);
  return cheapest(
    plain
      .filter((each, i) => i === 0 || rivals.includes(each))
      .map((each) => improve(each, observations)),
  );
}

/** Returns the first fit with the lowest cost, so that ties follow the order of preference. */
const cheapest = (fits: readonly Fit[]): Fit =>
  fits.reduce((best, each) => (cost(each) < cost(best) ? each : best));

const cost = ({ model, misses }: Fit): number => misses.length + price(model.options.quirks);

/** Adds the quirk, or changes the practice, that explains the most misses, until none explains any. */
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
      // Later choices may make an earlier quirk unnecessary.
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

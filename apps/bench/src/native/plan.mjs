/** Amount of measurements against native code in each mode. */
import { CORPORA } from '../arena/corpora.mjs';
import { contests } from './contests.mjs';

const KiB = 1024;
const MiB = 1024 * KiB;

/** @type {Record<string, { sizes: readonly number[], seconds: number }>} */
const modes = {
  full: { sizes: [64, KiB, 64 * KiB, 4 * MiB], seconds: 150 },
  quick: { sizes: [64, 64 * KiB], seconds: 40 },
  smoke: { sizes: [64, KiB], seconds: 2 },
};

/** A call on some MiB takes as long as thousands of others, so few corpora do that. */
const LARGE = ['ascii', 'cyrillic', 'cjk', 'emoji 10 %', 'dump'];

/**
 * @param {string} mode
 * @param {readonly string[]} corpora
 * @param {readonly string[] | undefined} operations - All if undefined.
 * @param {readonly string[] | undefined} codecs - Likewise.
 * @param {string | undefined} broken
 * @returns {import('./measure.mjs').NativePlan}
 */
export function planNative(mode, corpora, operations, codecs, broken) {
  const { sizes, seconds } = /** @type {typeof modes[string]} */ (modes[mode] ?? modes.full);
  const chosen = contests.filter(
    ({ operation, codec }) =>
      (operations?.includes(operation) ?? true) && (codecs?.includes(codec) ?? true),
  );
  const isFit = (/** @type {string} */ corpus, /** @type {number} */ size) =>
    size <= MiB || corpora.length < CORPORA.length || LARGE.includes(corpus);
  return {
    contests: chosen,
    races: corpora.flatMap((corpus) =>
      sizes.filter((size) => isFit(corpus, size)).map((size) => ({ corpus, size })),
    ),
    seconds: (seconds * chosen.length) / contests.length,
    broken,
  };
}

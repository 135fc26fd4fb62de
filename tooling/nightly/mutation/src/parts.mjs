/** Parts that a command line selects. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

export const usage = `usage: npm run mutation -- FILE… [--sample N] [--seed S] [--jobs J]

Changes the source in one place at a time, and runs the quick tests of its package: those that still pass have a
gap. FILE is a file or folder of packages/*/src or tooling/compiler/assembly, or FILE:FROM-TO, lines of a file.

  --sample N  judge only N mutants of each package, drawn at random [default: all]
  --seed S    draw the same ones again [default: at random]
  --jobs J    mutants of TypeScript judged at once [default: 1]

Exit codes: 0 every package has its score, 1 one has not (a sample: and not by chance), 2 usage.
`;

export class UsageError extends Error {}

/**
 * Reads a command line.
 *
 * @param {readonly string[]} words
 * @param {Pick<import('./run.mjs').Place, 'root' | 'tiers'>} place
 */
export function readArguments(words, place) {
  const { values, positionals } = parse(words);
  const sample = readNumber('sample', values.sample, 1);
  const seed = readNumber('seed', values.seed, 0) ?? Math.floor(Math.random() * 2 ** 31);
  const jobs = readNumber('jobs', values.jobs, 1) ?? 1;
  if (positionals.length === 0) throw new UsageError('specify a file or folder');
  const parts = positionals.flatMap((word) => findParts(word, place));
  return {
    sample,
    seed,
    jobs,
    parts: [...new Map(parts.map((part) => [`${part.file}:${part.lines}`, part])).values()],
  };
}

function parse(words) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        sample: { type: 'string' },
        seed: { type: 'string' },
        jobs: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error.message);
  }
}

function readNumber(name, word, least) {
  if (word === undefined) return undefined;
  const number = Number(word);
  if (!/^\d+$/.test(word) || number < least || number >= 2 ** 32) {
    throw new UsageError(
      `--${name}: expected a number from ${least} on, not ${JSON.stringify(word)}`,
    );
  }
  return number;
}

/** @typedef {{ file: string, tier: string, lines?: [number, number] }} Part */

/** @returns {Part[]} */
function findParts(word, { root, tiers }) {
  const [, name = word, from, to] = /^(.*):(\d+)-(\d+)$/.exec(word) ?? [];
  const file = path.resolve(root, name);
  if (!existsSync(file)) throw new UsageError(`${name}: no such file or folder`);
  const isFolder = statSync(file).isDirectory();
  if (from && (isFolder || Number(from) < 1 || Number(to) < Number(from))) {
    throw new UsageError(`${word}: expected lines of a file, from 1 on`);
  }
  const files = isFolder
    ? readdirSync(file, { recursive: true }).map((entry) => path.join(file, entry))
    : [file];
  let skipped;
  const parts = files.flatMap((each) => {
    const source = path.relative(root, each).split(path.sep).join('/');
    const tier = findTier(source, tiers);
    const skip = tiers[tier]?.skipped;
    if (skip && source.startsWith(skip.folder)) {
      skipped = `${skip.folder}: ${skip.why}`;
      return [];
    }
    return tier
      ? [{ file: each, tier, ...(from ? { lines: [Number(from), Number(to)] } : {}) }]
      : [];
  });
  if (parts.length === 0) {
    throw new UsageError(skipped ?? `${name}: no source of ${Object.keys(tiers).join(', ')}`);
  }
  if (skipped) console.log(`skipped: mutants of ${skipped}`);
  return parts.sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Finds the tier of a file. Generated files have the tier of their generator, in core. */
function findTier(file, tiers) {
  const [, assembly, name] =
    /^(?:tooling\/compiler\/(assembly)|packages\/(\w+)\/src)\/(?:(?!(?:.*\/)?generated\/).)*(?<!\.d)\.ts$/.exec(
      file,
    ) ?? [];
  return [assembly, name].find((tier) => tier && Object.hasOwn(tiers, tier));
}

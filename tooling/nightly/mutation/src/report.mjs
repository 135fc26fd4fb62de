/** Report of mutants, for people and programs. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** @typedef {import('./instrument.mjs').Mutant & { status: 'killed' | 'timeout' | 'survived' | 'not reached' | 'invalid' }} Verdict */

const LONGEST = 60;

/** The quantile of the normal distribution for 95 % of all samples. */
const Z = 1.96;

/**
 * Computes the share of mutants that were killed.
 *
 * @param {readonly Verdict[]} verdicts
 * @returns In percent, 100 if there are none; and between which values it is if these are a sample, with 95 %
 *   certainty (E. B. Wilson, "Probable Inference", 1927).
 */
export function computeScore(verdicts) {
  const { killed, valid } = count(verdicts);
  const share = valid === 0 ? 1 : killed / valid;
  const n = Math.max(valid, 1);
  const middle = (share + Z ** 2 / (2 * n)) / (1 + Z ** 2 / n);
  const reach =
    (Z / (1 + Z ** 2 / n)) * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n ** 2));
  return {
    score: 100 * share,
    least: 100 * Math.max(middle - reach, 0),
    greatest: 100 * Math.min(middle + reach, 1),
  };
}

const isKilled = (status) => status === 'killed' || status === 'timeout';

function count(verdicts) {
  const valid = verdicts.filter(({ status }) => status !== 'invalid').length;
  const killed = verdicts.filter(({ status }) => isKilled(status)).length;
  return { killed, valid };
}

/**
 * Writes the score of each file, and each mutant that no test notices.
 *
 * @param {ReadonlyMap<string, readonly Verdict[]>} verdicts By file.
 * @param {string} root Paths are from here.
 * @returns {string} Lines.
 */
export function writeReport(verdicts, root) {
  return Array.from(verdicts, ([file, own]) => {
    const { killed, valid } = count(own);
    const name = path.relative(root, file);
    const survivors = own
      .filter(({ status }) => status === 'survived' || status === 'not reached')
      .map((mutant) => `  ${writeVerdict(mutant, root)}\n`);
    const { score } = computeScore(own);
    return `${score.toFixed(1)} % (${killed} of ${valid}) ${name}\n${survivors.join('')}`;
  }).join('');
}

/**
 * Writes what became of one mutant.
 *
 * @param {Verdict} verdict
 * @param {string} root
 */
export function writeVerdict(verdict, root) {
  const { file, start, status, replacement } = verdict;
  const change = `${shorten(readBefore(verdict))} → ${shorten(replacement) || 'nothing'}`;
  return `${path.relative(root, file)}:${start.line} ${status}: ${change}`;
}

function shorten(source) {
  const line = source.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

/** Reads the source text that a mutant replaces. */
export function readBefore({ file, start, end }) {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  lines.push(lines.pop().slice(0, end.column));
  lines[0] = lines[0].slice(start.column);
  return lines.join('\n');
}

/** Mutants and verdicts of Stryker's, as the rest of this folder has them. */
import path from 'node:path';

/** Tells one mutant from all others. */
export const identify = ({ file, start, end, replacement }) =>
  JSON.stringify([file, start.line, start.column, end.line, end.column, replacement]);

/**
 * Reads a mutant of Stryker's, whose lines are from 0.
 *
 * @returns {Mutant}
 */
export function readMutant({ fileName, location: { start, end }, replacement }) {
  return {
    file: fileName,
    start: { line: start.line + 1, column: start.column },
    end: { line: end.line + 1, column: end.column },
    replacement,
  };
}

/**
 * Reads a verdict of Stryker's, whose columns are from 1.
 *
 * @returns {import('./report.mjs').Verdict}
 */
export function readVerdict(result) {
  const { fileName, location, replacement } = result;
  const { start, end } = location;
  return {
    file: path.resolve(fileName),
    start: { line: start.line, column: start.column - 1 },
    end: { line: end.line, column: end.column - 1 },
    replacement,
    status: readStatus(result),
  };
}

function readStatus({ status }) {
  switch (status) {
    case 'Killed':
      return 'killed';
    case 'Timeout':
      return 'timeout';
    case 'Survived':
      return 'survived';
    case 'NoCoverage':
      return 'not reached';
    default:
      return 'invalid';
  }
}

/** The laws of a grammar; each error names the row that breaks one. */
import { type Domain, domains } from './domain.js';
import { formatCodePoint } from './format.js';
import { GrammarError } from './grammar-error.js';
import { type ByteRange, countSequences, flatten, formatRow, type Row, type Unit } from './row.js';

/** Checks all laws. */
export function checkLaws(domain: Domain, rows: readonly Row[], refused: readonly Row[]): void {
  rows.forEach((row, i) => {
    checkOrder(row);
    for (const other of rows.slice(0, i)) checkDistinct(other, row);
  });
  for (const row of refused) {
    checkOrder(row);
    for (const unit of row.units) checkAccepted(row, unit, rows);
  }
  checkCoverage(domain, rows);
}

function checkOrder(row: Row): void {
  const sequences = countSequences(flatten(row));
  const codePoints = row.last - row.first + 1;
  if (sequences !== codePoints) {
    throw new GrammarError(
      `Row "${formatRow(row)}": ${codePoints} code points, but ${sequences} byte sequences.`,
    );
  }
}

function checkDistinct(a: Row, b: Row): void {
  const [left, right] = [flatten(a), flatten(b)];
  const overlaps = left.every(({ first, last }, i) => {
    const other = right[i];
    return !other || (first <= other.last && other.first <= last);
  });
  if (!overlaps) return;
  throw new GrammarError(
    left.length === right.length
      ? `Row "${formatRow(b)}" shares a byte sequence with row "${formatRow(a)}".`
      : `Row "${formatRow(b)}": one of its sequences begins, or is the beginning of, one of row "${formatRow(a)}".`,
  );
}

/** Checks that a unit of a refused row is well-formed alone: each of its sequences belongs to some row. */
function checkAccepted(row: Row, unit: Unit, rows: readonly Row[]): void {
  let accepted = 0;
  for (const other of rows) {
    const ranges = flatten(other);
    if (ranges.length !== unit.length) continue;
    accepted += unit.reduce((product, { first, last }, i) => {
      const range = ranges[i] as ByteRange;
      return product * Math.max(0, Math.min(last, range.last) - Math.max(first, range.first) + 1);
    }, 1);
  }
  if (accepted !== countSequences(unit)) {
    throw new GrammarError(`Row "${formatRow(row)}" refuses units that no row accepts alone.`);
  }
}

function checkCoverage(domain: Domain, rows: readonly Row[]): void {
  for (const row of rows) {
    if (!domains[domain].some(([first, last]) => first <= row.first && row.last <= last)) {
      throw new GrammarError(`Row "${formatRow(row)}" reaches outside the ${domain}.`);
    }
  }
  const written = rows.filter((row) => row.writes).sort((a, b) => a.first - b.first);
  for (const [first, last] of domains[domain]) {
    let next = first;
    const cover = (upTo: number): void => {
      if (next >= upTo) return;
      const gap = `${formatCodePoint(next)}..${formatCodePoint(upTo - 1)}`;
      throw new GrammarError(`No "=" row writes ${gap}, which the domain ${domain} contains.`);
    };
    for (const row of written.filter((row) => first <= row.first && row.last <= last)) {
      cover(row.first);
      if (row.first < next) {
        throw new GrammarError(
          `Row "${formatRow(row)}" writes code points that another "=" row writes.`,
        );
      }
      next = row.last + 1;
    }
    cover(last + 1);
  }
}

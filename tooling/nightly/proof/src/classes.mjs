/**
 * Parts the bytes into classes: two are of one class if no range of any row, at any position, contains one
 * of them alone. The rows cannot tell such bytes apart, except for what they spell.
 *
 * @param {readonly import('./subjects.mjs').Sequence[]} sequences
 * @returns {number[][]} The bytes of each class, in order.
 */
export function deriveClasses(sequences) {
  const edges = new Set(
    sequences.flatMap(({ ranges }) => ranges.flatMap(({ first, last }) => [first, last + 1])),
  );
  const classes = [[0]];
  for (let byte = 1; byte < 256; byte++) {
    if (edges.has(byte)) classes.push([]);
    classes.at(-1).push(byte);
  }
  return classes;
}

/** Finds the first line in which two texts differ, as a test shows it; undefined if they are equal. */
export function findDifference(
  actual: Uint8Array | string | undefined,
  expected: Uint8Array | string,
): string | undefined {
  const [lines, wanted] = [actual ?? '', expected].map((text) =>
    Buffer.from(text as string)
      .toString('latin1')
      .split('\n'),
  ) as [string[], string[]];
  const i = wanted.findIndex((line, i) => line !== lines[i]);
  if (i === -1 && lines.length === wanted.length) return undefined;
  const at = i === -1 ? wanted.length : i;
  return `line ${at + 1}: ${JSON.stringify(lines[at])} and not ${JSON.stringify(wanted[at])}`;
}

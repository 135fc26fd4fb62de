/** Classes by javac, and the output of other programs for them: `recorded`, which `tooling/oracles/classes` writes. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Path of the folder with the recorded files. */
export const folder: string = fileURLToPath(new URL('recorded/', import.meta.url));

/** The names of the recorded classes. */
export const recorded: readonly string[] = [
  ...['Everything', 'Everything$1', 'Everything$Alone', 'Everything$Circle', 'Everything$Color'],
  ...['Everything$InType', 'Everything$Inner', 'Everything$Marked', 'Everything$Shape'],
  ...['Everything$Square', 'Literals', 'module-info'],
];

export const readRecorded = (name: string): Buffer => readFileSync(folder + name);

/** The uses in a class, a line for each. */
export const readRecordedUses = (name: string): string[] =>
  readRecorded(`${name}.txt`).toString().trimEnd().split('\n');

/** All recorded classes. */
export const classes: readonly Buffer[] = recorded.map((name) => readRecorded(`${name}.class`));

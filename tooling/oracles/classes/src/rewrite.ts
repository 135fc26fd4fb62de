/** Classes with other strings, by rules that peers/Rewrite.java has too. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  type ClassString,
  readUses,
  replaceStrings,
  type StringKind,
  type StringUse,
} from '@utf8/classfile';
import { readFiles } from './folder.js';
import type { JavaProgram } from './java.js';
import { formatMember, textKinds } from './line.js';

/** Replaced uses by name: kinds, or `some` for the uses with an odd hash. */
export const modes: readonly (readonly [name: string, mode: string])[] = [
  ['literals', 'literal'],
  ['all strings', textKinds.join(',')],
  // Some uses of a constant change and others stay, so that there must be two of it.
  ['every other use', 'some'],
];

const LONGEST = 20_000;

/** A class with other strings. */
interface Rewritten {
  readonly bytes: Uint8Array;
  /** The hashes of the uses that are as they were though they were wanted. */
  readonly kept: ReadonlySet<string>;
}

const change = ({ string }: ClassString): string | undefined =>
  string.length <= LONGEST ? `${string}\u20ac` : undefined;

/** Replaces strings. */
function rewrite(file: Buffer, mode: string): Rewritten {
  const kept = new Set<string>();
  const places = new Set<number>();
  const isWanted = (use: StringUse): boolean => mode !== 'some' || isOdd(hashUse(use));
  const kinds = mode === 'some' ? textKinds : (mode.split(',') as StringKind[]);
  const bytes = replaceStrings(file, change, {
    kinds,
    where: isWanted,
    onKept: (use) => {
      kept.add(hashUse(use));
      places.add(use.offset);
    },
  });
  if (places.size > 0) {
    const isOther = (use: StringUse): boolean => !kinds.includes(use.kind) || !isWanted(use);
    checkKept(file, bytes, places, isOther);
  }
  return { bytes, kept };
}

const LDC = 0x12;

/** Checks that uses stay only if another `ldc` has the same index, and no index is free. */
function checkKept(
  file: Buffer,
  result: Uint8Array,
  places: ReadonlySet<number>,
  isOther: (use: StringUse) => boolean,
): void {
  const others = new Set<number>();
  for (const use of readUses(file)) {
    const isNarrow = use.offset > 0 && file[use.offset - 1] === LDC;
    if (isNarrow && isOther(use)) others.add(file[use.offset] as number);
  }
  for (const place of places) {
    const isNarrow = file[place - 1] === LDC;
    if (
      isNarrow &&
      others.has(file[place] as number) &&
      Buffer.from(result).readUInt16BE(8) >= 0x100
    )
      continue;
    throw new Error(`the use at ${place} need not stay`);
  }
}

/** Result of rewriting classes. */
export interface Outcome {
  /** Number of changed classes. */
  readonly changed: number;
  /** Number of wanted uses that stayed. */
  readonly kept: number;
  /** Classes that ASM rewrites differently, and the differing lines of the first. */
  readonly different: readonly string[];
}

/**
 * Rewrites all classes below a folder into another one, and has ASM do the same.
 *
 * @param program - The program `Rewrite`.
 */
export function rewriteFolder(
  program: JavaProgram,
  mode: string,
  originals: string,
  results: string,
): Outcome {
  const lines = new Map<string, string>();
  let changed = 0;
  let kept = 0;
  for (const [file, bytes] of readFiles(originals)) {
    const result = rewrite(bytes, mode);
    if (!bytes.equals(result.bytes)) changed++;
    kept += result.kept.size;
    const place = path.join(results, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, result.bytes);
    lines.set(file, [...result.kept].join(','));
  }
  const input = Array.from(lines, (line) => line.join('\t')).join('\n');
  const answers = program.run('Rewrite', [mode, originals, results], input);
  if (answers.length !== lines.size) throw new Error(`${answers.length} answers`);
  const different = answers.filter((answer) => !answer.endsWith('\tsame'));
  const [first] = different;
  if (first !== undefined) {
    const [file] = first.split('\t') as [string];
    const places = [path.join(originals, file), path.join(results, file)];
    const shown = program.run('Rewrite', [mode, ...places, lines.get(file) as string]);
    different.push(...shown.slice(0, 20));
  }
  return { changed, kept, different };
}

const isOdd = (hash: string): boolean => (Number(hash) & 1) === 1;

/** FNV-1a, of code units. */
function hashUse({ member, kind, line, annotation, bootstrap, string }: StringUse): string {
  const fields = [
    formatMember(member),
    kind,
    line ?? '',
    annotation?.type ?? '',
    annotation?.path ?? '',
    bootstrap?.method ?? '',
    bootstrap?.argument ?? '',
    string.string,
  ];
  let hash = 0x811c9dc5;
  const text = fields.join('\t');
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return String(hash >>> 0);
}

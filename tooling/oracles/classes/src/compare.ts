/** Comparison of the uses of strings that other programs find with ours: see peers/Uses.java. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll } from 'vitest';
import { findModernJava, jdk } from '../../src/jdk.js';
import { findFiles } from './folder.js';
import { compileByEclipse, compileProgram, type JavaProgram } from './java.js';
import { digestLines, type View, viewAll, viewByAsm } from './line.js';
import { findArtifact } from './maven.js';
import { findAsm } from './oracle.js';

/** A program that tells where classes use strings. */
export interface Finder {
  readonly program: JavaProgram;
  /** The class in `peers`. */
  readonly name: string;
  /** Its view of a class. */
  readonly view: View;
}

/** Compiles our programs that need ASM, for the tests of a file. */
export function useAsm(): Finder {
  const sources = ['Uses', 'AsmUses', 'AsmWalk', 'Unpack', 'Generate', 'Rewrite', 'Link'];
  return use({
    program: compileProgram(jdk, sources, findAsm()),
    name: 'AsmUses',
    view: viewByAsm,
  });
}

/** Compiles our program that needs the class-file API of the JDK, for the tests of a file. */
export function useModern(): Finder {
  const program = compileByEclipse(findModernJava(), findArtifact('ecj'), ['Uses', 'JdkUses']);
  return use({ program, name: 'JdkUses', view: viewAll });
}

function use(finder: Finder): Finder {
  afterAll(() => finder.program.remove());
  return finder;
}

/** Number of classes that are shown. */
const SHOWN = 10;

/**
 * The first classes below a folder of which something else is told, with the lines in question.
 *
 * @param isLenient - Whether the program may refuse classes that we read.
 */
export function findDifferences(
  { program, name, view }: Finder,
  folder: string,
  isLenient = false,
): string[] {
  const different: string[] = [];
  let count = 0;
  for (const answer of program.run('Uses', [name, folder], findFiles(folder).join('\n'))) {
    const [file, theirs] = answer.split('\t') as [string, string];
    if (isLenient && theirs.startsWith('refused')) continue;
    const ours = tell(view, path.join(folder, file));
    if (typeof ours !== 'string' && digestLines(ours) === theirs) continue;
    if (++count > SHOWN) continue;
    different.push(`${file}: ${theirs}`);
    if (typeof ours === 'string') different.push(`  ours: ${ours}`);
    else if (!theirs.startsWith('refused')) {
      const lines = program.run('Uses', [name, path.join(folder, file)]);
      different.push(...subtract(ours, lines).map((line) => `  ours: ${line}`));
      different.push(...subtract(lines, ours).map((line) => `  theirs: ${line}`));
    }
  }
  if (count > SHOWN) different.push(`and ${count - SHOWN} more`);
  return different;
}

/** Returns the lines of a class, or the reason why there are none. */
function tell(view: View, file: string): string[] | string {
  try {
    return view(readFileSync(file));
  } catch (error) {
    return `refused: ${error}`;
  }
}

/** Returns the lines that the first list contains more often than the second one. */
function subtract(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

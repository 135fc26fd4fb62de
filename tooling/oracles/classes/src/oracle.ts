/** Class files as the JDK and ASM read them: see peers/Oracle.java. */
import { createHash } from 'node:crypto';
import type { ClassString, StringKind } from '@utf8/classfile';
import type { Jdk } from '../../src/jdk.js';
import { compileProgram, type JavaProgram } from './java.js';
import { findArtifact } from './maven.js';

/** Aspect to compare: all strings in their order, or those of one kind. */
export type Aspect = 'pool' | StringKind;

/** By the path of the file, digests by aspect. */
export type Answers = ReadonlyMap<string, ReadonlyMap<Aspect, string>>;

/** The jars of ASM. */
export const findAsm = (): string[] => ['asm', 'asm-tree', 'asm-util'].map(findArtifact);

const programs = new Map<Jdk, JavaProgram>();

function compile(jdk: Jdk): JavaProgram {
  let program = programs.get(jdk);
  if (!program) {
    program = compileProgram(jdk, ['Oracle', 'Asm', 'AsmWalk', 'Uses'], findAsm());
    programs.set(jdk, program);
  }
  return program;
}

/** Removes the compiled programs. */
export function removePrograms(): void {
  for (const program of programs.values()) program.remove();
  programs.clear();
}

/** Asks about all class files below a folder. */
export function askOracle(jdk: Jdk, folder: string): Answers {
  return parse(compile(jdk).run('Oracle', [folder]));
}

function parse(lines: readonly string[]): Answers {
  const answers = new Map<string, Map<Aspect, string>>();
  for (const line of lines) {
    const [file, aspect, digest] = line.split('\t') as [string, Aspect, string];
    if (!answers.has(file)) answers.set(file, new Map());
    answers.get(file)?.set(aspect, digest);
  }
  return answers;
}

/** Returns the digest of the strings that we read. */
export function digest(strings: readonly ClassString[], aspect: Aspect): string {
  const texts = strings
    .filter(({ kinds }) => aspect === 'pool' || kinds.includes(aspect))
    .map(({ string }) => string);
  const hash = createHash('sha256');
  for (const text of aspect === 'pool' ? texts : [...new Set(texts)].sort()) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    hash.update(length).update(Buffer.from(text, 'utf16le').swap16());
  }
  return hash.digest('hex');
}

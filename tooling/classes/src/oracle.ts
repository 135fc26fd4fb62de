/** What the JDK itself makes of class files: see peers/Oracle.java. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { ClassString, StringKind } from '@utf8/classfile';
import { makeFolder, removeFolder } from './folder.js';
import { type Jdk, peers } from './jdk.js';

/** What is compared: all strings in their order, or those of one kind. */
export type Aspect = 'pool' | StringKind;

/** By the path of the file, digests by aspect. */
export type Answers = ReadonlyMap<string, ReadonlyMap<Aspect, string>>;

// Older JDKs have ASM inside, and hide it.
const hidden = ['--add-exports', 'java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED'];

/** Our program, compiled. */
interface Program {
  readonly folder: string;
  readonly options: readonly string[];
}

const programs = new Map<Jdk, Program>();

function compile(jdk: Jdk): Program {
  let program = programs.get(jdk);
  if (!program) {
    const folder = makeFolder();
    jdk.compile([path.join(peers, 'Oracle.java')], folder);
    program = { folder, options: compileAsm(jdk, folder) ? hidden : [] };
    programs.set(jdk, program);
  }
  return program;
}

/** Removes what was compiled. */
export function removePrograms(): void {
  for (const { folder } of programs.values()) removeFolder(folder);
  programs.clear();
}

/** Asks about all class files below a folder. */
export function askOracle(jdk: Jdk, folder: string): Answers {
  const { folder: program, options } = compile(jdk);
  return parse(jdk.run('java', [...options, '-cp', program, 'Oracle', folder]).toString('utf8'));
}

function compileAsm(jdk: Jdk, program: string): boolean {
  try {
    jdk.compile([path.join(peers, 'Asm.java')], program, '-cp', program, ...hidden);
    return true;
  } catch {
    console.log(`skipped: what strings are for, by ASM: JDK ${jdk.version} has none inside`);
    return false;
  }
}

function parse(text: string): Answers {
  const answers = new Map<string, Map<Aspect, string>>();
  for (const line of text.split('\n').slice(0, -1)) {
    const [, file, aspect, digest] = /^(.*) (\S+) (\S+)$/.exec(line) as unknown as string[];
    if (!answers.has(file as string)) answers.set(file as string, new Map());
    answers.get(file as string)?.set(aspect as Aspect, digest as string);
  }
  return answers;
}

/** The same digest of what we read. */
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

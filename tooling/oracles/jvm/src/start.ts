/** Programs in Java that hold strings, each in a process of its own with its jars. */
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, ProgramPeer } from '@utf8/oracles/interop/peer';

const sources = fileURLToPath(new URL('../peers', import.meta.url));
const cache = fileURLToPath(new URL('../../../../node_modules/.cache/java', import.meta.url));

/** A program in `peers/`, with jars that `.ci/run` fetches: paths in the cache. */
export interface JavaProgram {
  readonly name: string;
  /** Its class. */
  readonly main: string;
  readonly jars: readonly string[];
  readonly arguments?: readonly string[];
}

/** Starts a program; undefined where something is missing, with a line that says what. */
export async function startJava(program: JavaProgram): Promise<ProgramPeer | undefined> {
  const jars = program.jars.map((jar) => path.join(cache, jar));
  const missing = jars.filter((jar) => !existsSync(jar)).map((jar) => path.basename(jar));
  if (missing.length > 0) {
    console.log(`skipped: ${program.name}: ${missing.join(', ')}, which .ci/run fetches`);
    return undefined;
  }
  const peer = await ProgramPeer.start({
    name: program.name,
    debian: 'openjdk-17-jdk-headless',
    build: (_, folder): Command => [
      'javac',
      ...['-encoding', 'UTF-8', '-nowarn', '-proc:none'],
      ...['-cp', jars.join(path.delimiter), '-d', folder],
      ...['Peer', program.main].map((name) => path.join(sources, `${name}.java`)),
    ],
    start: (_, folder): Command => [
      'java',
      ...['-Xmx512m', '-Xss512k', '-XX:+UseSerialGC', '-XX:-UsePerfData'],
      ...['-cp', [folder, ...jars].join(path.delimiter)],
      program.main,
      ...(program.arguments ?? []),
    ],
  });
  if (typeof peer !== 'string') return peer;
  console.log(`skipped: ${program.name}: ${peer}`);
  return undefined;
}

/** A folder in the cache, for files that a program writes. */
export function makeFolder(name: string): string {
  const folder = path.join(cache, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { ProgramPeer } from '../../interop/src/peer.js';
import { type Command, requireJar } from '../../src/program.js';

const sources = fileURLToPath(new URL('../peers', import.meta.url));

/** A program in `peers/`, with jars that `.ci/run` fetches: paths in the cache. */
export interface JavaProgram {
  readonly name: string;
  /** Its class. */
  readonly main: string;
  readonly jars: readonly string[];
  readonly arguments?: readonly string[];
}

/** Starts a program for the tests of a file. */
export async function useJava(program: JavaProgram): Promise<ProgramPeer> {
  const jars = program.jars.map(requireJar);
  const peer = await ProgramPeer.start({
    name: program.name,
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
  afterAll(() => peer.stop());
  return peer;
}

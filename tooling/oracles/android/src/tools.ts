/** Other programs that write and read Android's files. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inFolder, requireFile, requireJar, run } from '../../src/program.js';

/** Folder of our Java programs and fixtures. */
export const peers: string = fileURLToPath(new URL('../peers', import.meta.url));

/** Finds the package with Android's own resources, which aapt refers to. */
export const findFramework = (): string =>
  requireFile(
    '/usr/share/android-framework-res/framework-res.apk',
    'Debian: android-framework-res',
  );

/** The path of a jar that came by Maven, by the beginning of its name. */
export function findJar(name: string): string {
  const folder = requireJar('android');
  const file = readdirSync(folder).find((each) => new RegExp(`^${name}-\\d.*\\.jar$`).test(each));
  return requireJar(`android/${file ?? `${name}.jar`}`);
}

/** Runs a program in Java, with all jars: a class, or a file of ours. */
export const runJava = (program: string, ...options: string[]): Buffer =>
  run(['java', '-cp', path.join(requireJar('android'), '*'), program, ...options]);

/** Options of D8. */
export interface D8Options {
  /** The oldest version of Android that is to run it, which decides on the version of the DEX file. */
  readonly minApi: number;
  /** True to write a container: version 041. */
  readonly isContainer?: boolean;
  readonly isRelease?: boolean;
}

/** Translates jars and class files; returns the DEX files in their order. */
export function translate(inputs: readonly string[], options: D8Options): Buffer[] {
  return inFolder((folder) => {
    const container = options.isContainer
      ? ['-Dcom.android.tools.r8.dexContainerExperiment=1']
      : [];
    const mode = options.isRelease ? '--release' : '--debug';
    const d8 = ['-cp', findJar('r8'), 'com.android.tools.r8.D8', mode, '--output', folder];
    run(['java', ...container, ...d8, '--min-api', String(options.minApi), ...inputs]);
    const numberOf = (file: string): number => Number(/\d+/.exec(file)?.[0] ?? 1);
    return readdirSync(folder)
      .sort((a, b) => numberOf(a) - numberOf(b))
      .map((file) => readFileSync(path.join(folder, file)));
  });
}

/** Compiles Java sources with all debug information; returns the class files' paths. */
export function compile(sources: readonly string[], folder: string): string[] {
  run(['javac', '-encoding', 'UTF-8', '-nowarn', '-g', '-parameters', '-d', folder, ...sources]);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.class'))
    .sort()
    .map((file) => path.join(folder, file));
}

/** Assembles a fixture in smali. */
export function assemble(file: string, api: number): Buffer {
  return inFolder((folder) => {
    const output = path.join(folder, 'classes.dex');
    const options = ['assemble', '--api', String(api), '--output', output];
    runJava('org.jf.smali.Main', ...options, path.join(peers, 'fixture', file));
    return readFileSync(output);
  });
}

/** Other programs that write and read Android's files. A line says which are missing. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../../../node_modules/.cache', import.meta.url));

/** Where `.ci/run` puts what comes by Maven. */
const jars = path.join(cache, 'java', 'android');

/** Where our Java programs and fixtures are. */
export const peers: string = fileURLToPath(new URL('../peers', import.meta.url));

/** What Android's own resources are in, which aapt refers to. */
export const FRAMEWORK = '/usr/share/android-framework-res/framework-res.apk';

const hasJars =
  existsSync(jars) &&
  ['dexlib2', 'smali', 'r8', 'guava', 'kotlin-stdlib'].every((name) =>
    readdirSync(jars).some((file) => file.startsWith(`${name}-`)),
  );

/** Whether a program is there. */
const has = (command: string, ...options: string[]): boolean =>
  spawnSync(command, options).error === undefined;

/** Whether DEX files can be made and compared. */
export const hasDexTools: boolean = hasJars && has('javac', '-version') && has('unzip', '-v');

/** Whether resources can be made and compared. */
export const hasAapt: boolean =
  has('aapt', 'version') && has('aapt2', 'version') && has('unzip', '-v') && existsSync(FRAMEWORK);

if (!hasDexTools) console.log('skipped: D8, smali and dexlib2 (Maven: see .ci/run), with a JDK');
if (!hasAapt) console.log('skipped: aapt and aapt2 (Debian: aapt, android-framework-res)');

/**
 * Runs a program to its end.
 *
 * @returns What it wrote to stdout.
 * @throws Error with what it wrote to stderr, where it fails.
 */
export function run(command: string, ...options: string[]): Buffer {
  const { error, status, stdout, stderr } = spawnSync(command, options, {
    maxBuffer: Infinity,
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
  if (error) throw error;
  if (status !== 0) {
    throw new Error(`${command} ${options.slice(0, 6).join(' ')}: ${stderr.subarray(0, 4000)}`);
  }
  return stdout;
}

/** The path of a jar that came by Maven, by the beginning of its name. */
export function findJar(name: string): string {
  const file = readdirSync(jars).find(
    (each) => each.startsWith(`${name}-`) && each.endsWith('.jar'),
  );
  if (!file) throw new Error(`no jar ${name}`);
  return path.join(jars, file);
}

const all = path.join(jars, '*');

/** Runs a program in Java that consists of one file, with all jars. */
export const runJava = (source: string, ...options: string[]): Buffer =>
  run('java', '-cp', all, path.join(peers, source), ...options);

/** Does something in a folder that is empty before, and gone after. */
export function inFolder<T>(action: (folder: string) => T): T {
  const parent = path.join(cache, 'android');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(path.join(parent, 'tmp-'));
  try {
    return action(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How D8 is to translate. */
export interface D8Options {
  /** The oldest version of Android that is to run it, which decides on the version of the DEX file. */
  readonly minApi: number;
  /** Whether to write a container: version 041. */
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
    run('java', ...container, ...d8, '--min-api', String(options.minApi), ...inputs);
    const numberOf = (file: string): number => Number(/\d+/.exec(file)?.[0] ?? 1);
    return readdirSync(folder)
      .sort((a, b) => numberOf(a) - numberOf(b))
      .map((file) => readFileSync(path.join(folder, file)));
  });
}

/** Compiles Java sources with all debug information; returns the class files' paths. */
export function compile(sources: readonly string[], folder: string): string[] {
  run('javac', '-encoding', 'UTF-8', '-nowarn', '-g', '-parameters', '-d', folder, ...sources);
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
    run('java', '-cp', all, 'org.jf.smali.Main', ...options, path.join(peers, 'fixture', file));
    return readFileSync(output);
  });
}

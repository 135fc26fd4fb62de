/** The code of `apps/site/pages/jni.md`, as it is written there, on each JDK. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { compileExample } from '../../../checks/src/example.mjs';
import { compileC, type Jdk, jdks } from '../../src/jdk.js';
import {
  cache,
  makeFolder,
  removeFolder,
  requireFile,
  requireJar,
  run,
} from '../../src/program.js';
import { type Fence, findFences, findOutput } from '../src/fence.js';
import { peers } from '../src/machine.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const fences = findFences(readFileSync(path.join(root, 'apps/site/pages/jni.md'), 'utf8'));

const programs = makeFolder();
// Below this package, so that scripts can import its dependencies.
const here = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
mkdirSync(here, { recursive: true });
const scripts = mkdtempSync(path.join(here, 'page-'));
const nodeJava = path.join(cache, 'node-java');

afterAll(() => {
  for (const folder of [programs, scripts]) removeFolder(folder);
});

/** Requirements other than our packages, each with a test for examples that have it. */
const kinds = {
  c: ({ language }) => language === 'c',
  fbjni: ({ language }) => language === 'cpp',
  frida: ({ code }) => code.includes('Java.use('),
  'node-java': ({ code }) => code.includes("from 'java'"),
  'java-bridge': ({ code }) => code.includes("'java-bridge'"),
  'java-caller': ({ code }) => code.includes("'java-caller'"),
  node: ({ language }) => language === 'ts',
} satisfies Record<string, (fence: Fence) => boolean>;

type Kind = keyof typeof kinds;

const kindOf = (fence: Fence): Kind | undefined =>
  (Object.keys(kinds) as Kind[]).find((kind) => kinds[kind](fence));

const select = (kind: Kind): (readonly [string, Fence])[] =>
  fences
    .filter((fence) => kindOf(fence) === kind)
    .map((fence) => [`line ${fence.line}`, fence] as const);

const onEach = jdks.map((jdk) => [`HotSpot ${jdk.version}`, jdk] as const);

/** Runs a program of C or C++ that prints what its comments say. */
function expectOutput(program: string, { library }: Jdk, { code }: Fence): void {
  const output = run([program, library, '-Xmx64m', '-XX:-UsePerfData']);
  const lines = output.toString().split('\n').slice(0, -1);
  const expected = findOutput(code);
  expect(expected.length).toBeGreaterThan(0);
  expect(lines.map((line) => line.trim())).toEqual(expected);
}

const START = `#include "frame.h"
#include "machine.h"
#include <string.h>
`;

/** Code that runs the checks of an example. */
const CHECK = `import { deepStrictEqual } from 'node:assert';
globalThis.__check = (actual, expected, what) => deepStrictEqual(actual, expected, what);
`;

/** Runs a script in a process of its own, where a virtual machine can live, and die. */
function runScript(fence: Fence, folder: string, env: NodeJS.ProcessEnv = {}): void {
  const { script, checks } = compileExample({
    place: `apps/site/pages/jni.md:${fence.line}`,
    code: fence.code,
  });
  expect(checks).toBeGreaterThan(0);
  const file = path.join(folder, `line-${fence.line}.mjs`);
  // A virtual machine may keep the process alive.
  writeFileSync(file, `${CHECK}${script}\nprocess.exit();\n`);
  run([process.execPath, file], { folder, env: { LC_ALL: process.env.LC_ALL, ...env } });
}

/** The environment in which programs find a JDK, and no other. */
const useJdk = ({ home }: Jdk): NodeJS.ProcessEnv => ({
  JAVA_HOME: home,
  PATH: [path.join(home, 'bin'), process.env.PATH].join(path.delimiter),
  LC_ALL: 'C.UTF-8',
});

/** Compiles a class with a JDK. */
const compileClass = (jdk: Jdk, name: string, folder: string): void =>
  jdk.compile([path.join(peers, `${name}.java`)], folder);

it('each example is one that runs here', () => {
  const found = fences.map(kindOf);
  expect(found).not.toContain(undefined);
  expect([...new Set(found)].sort()).toEqual(Object.keys(kinds).sort());
});

describe('in Node', () => {
  it.each(select('node'))('%s', (_, fence) => runScript(fence, scripts));
});

describe.each(onEach)('on %s', (_, jdk) => {
  it.each(select('c'))('in C: %s', (_, fence) => {
    const source = path.join(programs, `line-${fence.line}.c`);
    writeFileSync(
      source,
      `${START}
int main(int count, char **words) {
  JNIEnv *env = start_machine(words[1], count - 2, words + 2);
${fence.code}
  return 0;
}
`,
    );
    const program = path.join(programs, `line-${fence.line}`);
    // Headers of ours are beside other programs.
    compileC(source, program, { headers: [peers, ...jdk.headers] });
    expectOutput(program, jdk, fence);
  });

  it.each(select('java-bridge'))('by java-bridge: %s', (_, fence) => {
    runScript(fence, scripts, useJdk(jdk));
  });

  it.each(select('java-caller'))('by java-caller: %s', (_, fence) => {
    compileClass(jdk, 'Echo', scripts);
    runScript(fence, scripts, useJdk(jdk));
  });

  it('by java-caller in the locale C, all that is not ASCII is lost', () => {
    compileClass(jdk, 'Echo', scripts);
    const code = `import { JavaCaller } from 'java-caller';
const java = new JavaCaller({ classPath: '.', mainClass: 'Echo' });
const { stdout } = await java.run(['é😀']);
stdout.trim(); // => '${Array(6).fill('FFFD').join(' ')}\\n???'
`;
    const fence = { language: 'ts', code, line: 0 };
    runScript(fence, scripts, { ...useJdk(jdk), LC_ALL: 'C' });
  });
});

describe.each(onEach)('fbjni on %s', { tags: ['night'] }, (_, jdk) => {
  it.each(select('fbjni'))('%s', (_, fence) => {
    const folder = path.join(programs, `fbjni-${jdk.version}`);
    mkdirSync(folder);
    run(['python3', '-m', 'zipfile', '-e', requireJar('fbjni-0.7.0.aar'), folder]);
    const include = path.join(folder, 'prefab/modules/fbjni/include');
    const source = path.join(folder, 'page.cpp');
    writeFileSync(
      source,
      `#include <fbjni/fbjni.h>
${START}
using namespace facebook::jni;
int main(int count, char **words) {
  JNIEnv *env = start_machine(words[1], count - 2, words + 2);
  JavaVM *machine;
  env->GetJavaVM(&machine);
  initialize(machine, [] {});
${fence.code}
  return 0;
}
`,
    );
    const program = path.join(folder, 'page');
    const headers = [include, peers, ...jdk.headers].map((header) => `-I${header}`);
    // A shell, for the names of the sources.
    const sources =
      'fbjni/*.cpp fbjni/detail/*.cpp lyra/lyra.cpp lyra/lyra_exceptions.cpp lyra/cxa_throw.cpp';
    const command = `cd "$1" && shift && exec c++ -std=c++17 -w "$@" ${sources} -ldl -lpthread`;
    run(['sh', '-c', command, 'sh', include, ...headers, '-o', program, source]);
    expectOutput(program, jdk, fence);
  });
});

describe('by node-java, on the JDK that it was compiled for', { tags: ['night'] }, () => {
  it.each(select('node-java'))('%s', (_, fence) => {
    requireFile(path.join(nodeJava, 'node_modules/java/build/jvm_dll_path.json'));
    const folder = mkdtempSync(path.join(nodeJava, 'page-'));
    try {
      runScript(fence, folder);
    } finally {
      removeFolder(folder);
    }
  });
});

/** frida-java-bridge 7.0.13 knows no later ones. */
const known = onEach.filter(([, { major }]) => major <= 17);

describe.each(known)('Frida in %s', { tags: ['night'] }, (_, jdk) => {
  it.each(select('frida'))('%s', async (_, fence) => {
    const { script, checks } = compileExample({
      place: 'apps/site/pages/jni.md',
      code: fence.code,
    });
    const file = path.join(scripts, `frida-${fence.line}.js`);
    const agent = path.join(scripts, `agent-${fence.line}.js`);
    writeFileSync(
      file,
      `import Java from 'frida-java-bridge';
rpc.exports = {
  run() {
    const results = [];
    const __check = (actual, expected) => results.push([actual, expected]);
    Java.perform(() => {
${script}
    });
    return results;
  },
};
`,
    );
    await build({
      entryPoints: [file],
      outfile: agent,
      bundle: true,
      format: 'iife',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      alias: { buffer: '@frida/buffer' },
      nodePaths: [fileURLToPath(new URL('../../node_modules', import.meta.url))],
      logLevel: 'error',
    });
    compileClass(jdk, 'Wait', scripts);
    const python = requireFile(path.join(cache, 'frida'), 'PyPI: frida');
    const output = run(
      ['python3', path.join(peers, 'attach.py'), jdk.tool('java'), scripts, agent],
      { env: { PYTHONPATH: python } },
    );
    const results: [unknown, unknown][] = JSON.parse(output.toString());
    expect(results.map(([actual]) => actual)).toEqual(results.map(([, expected]) => expected));
    expect(results.length).toBe(checks);
  });
});

/** The code of `apps/site/pages/jni.md`, as it is written there, on each JDK that is here. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { compileExample } from '../../../checks/src/example.mjs';
import { compile, LIMIT, makeFolder, peers, removeFolder, run } from '../src/compile.js';
import { type Fence, findFences, findOutput } from '../src/fence.js';
import { type Machine, openMachines } from '../src/machine.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const cache = path.join(root, 'node_modules/.cache');
const fences = findFences(readFileSync(path.join(root, 'apps/site/pages/jni.md'), 'utf8'));

const machines = openMachines();
const programs = makeFolder();
// Below this package, so that scripts import what it depends on.
const here = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));
mkdirSync(here, { recursive: true });
const scripts = mkdtempSync(path.join(here, 'page-'));
const nodeJava = path.join(cache, 'node-java');

const hasJavaBridge = process.platform === 'linux' && process.arch === 'x64';
if (!hasJavaBridge) console.log('skipped: java-bridge 2.8.0, which is for Linux on x64');

afterAll(() => {
  for (const machine of machines) machine.close();
  for (const folder of [programs, scripts]) removeFolder(folder);
});

/** What an example needs besides our packages. */
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

const onEach = machines.map((machine) => [machine.name, machine] as const);

/** Runs a program of C or C++ that prints what its comments say. */
function expectOutput(program: string, machine: Machine, { code }: Fence): void {
  const output = run(program, [machine.jdk.library, '-Xmx64m', '-XX:-UsePerfData'], Buffer.of());
  const lines = output.toString().split('\n').slice(0, -1);
  const expected = findOutput(code);
  expect(expected.length).toBeGreaterThan(0);
  expect(lines.map((line) => line.trim())).toEqual(expected);
}

const START = `#include "frame.h"
#include "machine.h"
#include <string.h>
`;

/** What runs the checks of an example. */
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
  const { status, signal, stderr } = spawnSync(process.execPath, [file], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: LIMIT,
    killSignal: 'SIGKILL',
  });
  expect({ status, signal }, stderr).toEqual({ status: 0, signal: null });
}

/** The environment in which programs find a JDK, and no other. */
const useJdk = ({ jdk }: Machine): NodeJS.ProcessEnv => ({
  JAVA_HOME: jdk.home,
  PATH: [path.join(jdk.home, 'bin'), process.env.PATH].join(path.delimiter),
  LC_ALL: 'C.UTF-8',
});

/** Compiles a class with a JDK. */
function compileClass(machine: Machine, name: string, folder: string): void {
  run(
    path.join(machine.jdk.home, 'bin/javac'),
    ['-d', folder, path.join(peers, `${name}.java`)],
    Buffer.of(),
  );
}

it('each example is one that runs here', () => {
  const found = fences.map(kindOf);
  expect(found).not.toContain(undefined);
  expect([...new Set(found)].sort()).toEqual(Object.keys(kinds).sort());
});

describe('in Node', () => {
  it.each(select('node'))('%s', (_, fence) => runScript(fence, scripts));
});

describe.each(onEach)('on %s', (_, machine) => {
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
    expectOutput(compile(source, programs, machine.jdk), machine, fence);
  });

  it.runIf(hasJavaBridge).each(select('java-bridge'))('by java-bridge: %s', (_, fence) => {
    runScript(fence, scripts, useJdk(machine));
  });

  it.each(select('java-caller'))('by java-caller: %s', (_, fence) => {
    compileClass(machine, 'Echo', scripts);
    runScript(fence, scripts, useJdk(machine));
  });

  it('by java-caller in the locale C, all that is not ASCII is lost', () => {
    compileClass(machine, 'Echo', scripts);
    const code = `import { JavaCaller } from 'java-caller';
const java = new JavaCaller({ classPath: '.', mainClass: 'Echo' });
const { stdout } = await java.run(['é😀']);
stdout.trim(); // => '${Array(6).fill('FFFD').join(' ')}\\n???'
`;
    const fence = { language: 'ts', code, line: 0 };
    runScript(fence, scripts, { ...useJdk(machine), LC_ALL: 'C' });
  });
});

const aar = path.join(cache, 'java/fbjni-0.7.0.aar');
const hasFbjni = existsSync(aar);
if (!hasFbjni)
  console.log('skipped: fbjni: put com.facebook.fbjni:fbjni:0.7.0 by Maven, see .ci/run');

describe.runIf(hasFbjni).each(onEach)('fbjni on %s', (_, machine) => {
  it.each(select('fbjni'))('%s', (_, fence) => {
    const folder = path.join(programs, `fbjni-${machine.jdk.version}`);
    mkdirSync(folder);
    run('python3', ['-m', 'zipfile', '-e', aar, folder], Buffer.of());
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
    const headers = [include, peers, ...machine.jdk.headers].map((header) => `-I${header}`);
    // A shell, for the names of the sources.
    const sources =
      'fbjni/*.cpp fbjni/detail/*.cpp lyra/lyra.cpp lyra/lyra_exceptions.cpp lyra/cxa_throw.cpp';
    const command = `cd "$1" && shift && exec c++ -std=c++17 -w "$@" ${sources} -ldl -lpthread`;
    run('sh', ['-c', command, 'sh', include, ...headers, '-o', program, source], Buffer.of());
    expectOutput(program, machine, fence);
  });
});

const hasNodeJava = existsSync(path.join(nodeJava, 'node_modules/java/build/jvm_dll_path.json'));
if (!hasNodeJava) console.log('skipped: node-java: compile java@0.18.0 by npm, see .ci/run');

describe.runIf(hasNodeJava)('by node-java, on the JDK that it was compiled for', () => {
  it.each(select('node-java'))('%s', (_, fence) => {
    const folder = mkdtempSync(path.join(nodeJava, 'page-'));
    try {
      runScript(fence, folder);
    } finally {
      removeFolder(folder);
    }
  });
});

const python = path.join(cache, 'frida');
const hasFrida = existsSync(path.join(python, 'frida'));
if (!hasFrida) console.log('skipped: frida: put frida==17.18.0 by pip, see .ci/run');

/** frida-java-bridge 7.0.13 knows no later ones. */
const known = machines.filter(({ jdk }) => Number.parseInt(jdk.version, 10) <= 17);

describe.runIf(hasFrida).each(known.map((machine) => [machine.name, machine] as const))(
  'Frida in %s',
  (_, machine) => {
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
        nodePaths: [fileURLToPath(new URL('../node_modules', import.meta.url))],
        logLevel: 'error',
      });
      compileClass(machine, 'Wait', scripts);
      const java = path.join(machine.jdk.home, 'bin/java');
      const { stdout, stderr } = spawnSync(
        'python3',
        [path.join(peers, 'attach.py'), java, scripts, agent],
        { encoding: 'utf8', env: { ...process.env, PYTHONPATH: python }, timeout: LIMIT },
      );
      const results: [unknown, unknown][] = JSON.parse(stdout || JSON.stringify([[stderr, '']]));
      expect(results.map(([actual]) => actual)).toEqual(results.map(([, expected]) => expected));
      expect(results.length).toBe(checks);
    });
  },
);

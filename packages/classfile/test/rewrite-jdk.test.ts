/** Jars with other strings, as the JDK, unzip and Python read them, and run by a JVM. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import { kinds, replaceStrings } from '@utf8/classfile';
import { type Rewrite, type RewriteOptions, rewriteJar } from '@utf8/classfile/jar';
import { beforeAll, describe, expect, it } from 'vitest';
import { dissect } from './dissect.js';
import { useFolder } from './folder.js';
import { findJdk } from './jdk.js';
import { zip } from './zip.js';

const file = useFolder();

const LOADER = 'spring-boot-loader-3.5.0.jar';
const loader = fileURLToPath(
  new URL(`../../../node_modules/.cache/java/${LOADER}`, import.meta.url),
);

/** A program whose strings are replaced, except for some. */
const main = `package app;
import java.io.*;
import java.util.*;
import java.util.function.*;
public class Main {
  enum Size { SMALL, LARGE }
  record Pair(String left, int right) {}
  static final String CONSTANT = "say: constant";
  public static void main(String[] args) throws Exception {
    String word = args.length > 0 ? args[0] : "one";
    Supplier<String> lambda = () -> "say: lambda";
    System.out.println("say: hello");
    System.out.println(CONSTANT);
    System.out.println(lambda.get());
    System.out.println("say: " + word + " and " + new Pair("say: left", 1));
    switch (word) { case "one" -> System.out.println("say: first"); default -> System.out.println("other"); }
    System.out.println(Size.valueOf("LARGE"));
    try (var in = new BufferedReader(new InputStreamReader(Main.class.getResourceAsStream("text.txt")))) {
      System.out.println(in.readLine());
    }
    System.out.println(Class.forName("lib.Library").getMethod("name").invoke(null));
  }
}`;
const library =
  'package lib; public class Library { public static String name() { return "say: library"; } }';

const before = [
  'say: hello',
  'say: constant',
  'say: lambda',
  'say: one and Pair[left=say: left, right=1]',
  'say: first',
  'LARGE',
  'say: resource',
  'say: library',
  '',
].join('\n');

/** "say: x" becomes "안녕 😀: x", in classes alone. */
const translate = (text: string): string => text.replaceAll('say:', '안녕 😀:');
const after = translate(before).replace('안녕 😀: resource', 'say: resource');

/** The strings that programs load, and the texts of concatenations. */
const texts = kinds.filter((kind: string) => kind === 'literal' || kind === 'recipe');

const rewrite: Rewrite = ({ bytes }) =>
  replaceStrings(bytes, ({ string }) => (string.includes('say:') ? translate(string) : undefined), {
    kinds: texts,
  });

describe('the JDK', { tags: ['slow'] }, () => {
  let jdk = '';
  beforeAll(() => {
    jdk = findJdk();
  });
  const run = (program: string, ...args: string[]): string =>
    execFileSync(join(jdk, 'bin', program), args, {
      encoding: 'utf8',
      cwd: file('.'),
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
  const java = (...args: string[]): string =>
    run(
      'java',
      '-Xverify:all',
      '-Dfile.encoding=UTF-8',
      '-Dstdout.encoding=UTF-8',
      '-Dsun.stdout.encoding=UTF-8',
      ...args,
    );

  /** Compiles the program into two folders. */
  const compile = (): void => {
    if (existsSync(file('app/Main.java'))) return;
    for (const folder of ['app', 'lib', 'classes/app', 'library'])
      mkdirSync(file(folder), { recursive: true });
    writeFileSync(file('app/Main.java'), main);
    writeFileSync(file('lib/Library.java'), library);
    run('javac', '-encoding', 'UTF-8', '-d', 'classes', 'app/Main.java');
    run('javac', '-encoding', 'UTF-8', '-d', 'library', 'lib/Library.java');
    writeFileSync(file('classes/app/text.txt'), 'say: resource\n');
  };

  /** Makes a jar of both, with some options. */
  const make = (name: string, ...options: string[]): string => {
    compile();
    const content = ['-C', 'classes', '.', '-C', 'library', '.'];
    run('jar', '--create', '--file', name, '--main-class', 'app.Main', ...options, ...content);
    return file(name);
  };

  const change = async (
    input: string,
    name: string,
    options: RewriteOptions = {},
  ): Promise<string> => {
    rmSync(file(name), { force: true });
    const report = await rewriteJar(input, file(name), rewrite, options);
    expect(report.changed).toBe(2);
    return file(name);
  };

  /** All that read archives find the same in both. */
  const compare = (input: string, output: string): void => {
    expect(run('jar', '--list', '--file', output)).toBe(run('jar', '--list', '--file', input));
    expect(execFileSync('unzip', ['-tqq', output]).toString()).toBe('');
    const script = 'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).testzip())';
    expect(execFileSync('python3', ['-c', script, output]).toString()).toBe('None\n');
  };

  it.each([
    ['compressed', []],
    ['stored', ['--no-compress']],
  ])('runs a program with other strings, %s', async (name, options) => {
    const input = make(`${name}.jar`, ...options);
    expect(java('-jar', input)).toBe(before);
    const output = await change(input, `${name}-out.jar`);
    expect(java('-jar', output)).toBe(after);
    compare(input, output);
    // Read from front to back, too, where sizes come after entries.
    mkdirSync(file('extracted'), { recursive: true });
    execFileSync(join(jdk, 'bin', 'jar'), ['x'], {
      cwd: file('extracted'),
      input: readFileSync(output),
    });
    expect(java('-cp', file('extracted'), 'app.Main')).toBe(after);
    rmSync(file('extracted'), { recursive: true });
  });

  it('runs a script that is a jar', async () => {
    const input = make('plain.jar');
    const script = Buffer.from(
      `#!/bin/sh\nexec "${jdk}/bin/java" -Dfile.encoding=UTF-8 -Dstdout.encoding=UTF-8 -jar "$0" "$@"\n`,
    );
    writeFileSync(file('script'), Buffer.concat([script, readFileSync(input)]), { mode: 0o755 });
    const output = await change(file('script'), 'script-out');
    expect(execFileSync(output, { encoding: 'utf8' })).toBe(after);
  });

  it('verifies signatures that are kept, and finds none that are dropped', async () => {
    const input = make('signed.jar');
    const store = ['-keystore', file('keys'), '-storepass', 'secret'];
    const key = [
      '-genkeypair',
      '-alias',
      'a',
      '-keyalg',
      'RSA',
      '-dname',
      'CN=a',
      '-storetype',
      'PKCS12',
    ];
    run('keytool', ...key, ...store);
    run('jarsigner', ...store, input, 'a');
    const verify = (path: string): string => run('jarsigner', '-verify', path);
    expect(verify(input)).toContain('jar verified.');

    const same = file('signed-same.jar');
    await rewriteJar(input, same, () => undefined);
    expect(verify(same)).toContain('jar verified.');

    await expect(change(input, 'signed-out.jar')).rejects.toMatchObject({ reason: 'signed' });
    expect(existsSync(file('signed-out.jar'))).toBe(false);

    const output = await change(input, 'signed-out.jar', { signatures: 'drop' });
    expect(verify(output)).toContain('jar is unsigned.');
    expect(java('-jar', output)).toBe(after);
    const names = run('jar', '--list', '--file', output).split('\n');
    expect(names.filter((name) => /META-INF/.test(name)).sort()).toEqual([
      'META-INF/',
      'META-INF/MANIFEST.MF',
    ]);
    // And it can be signed again.
    run('jarsigner', ...store, output, 'a');
    expect(verify(output)).toContain('jar verified.');
    expect(java('-jar', output)).toBe(after);

    // A signed library in a jar whose own classes alone change stays signed.
    const fat = file(
      'fat.jar',
      zip([
        { name: 'lib/signed.jar', bytes: readFileSync(same), method: 0 },
        { name: 'app/Main.class', bytes: readFileSync(file('classes/app/Main.class')) },
      ]),
    );
    const report = await rewriteJar(fat, file('fat-out.jar'), (each) =>
      each.path.includes('!/') ? undefined : rewrite(each),
    );
    expect(report).toMatchObject({ changed: 1, dropped: 0 });
    writeFileSync(
      file('inner.jar'),
      dissect(readFileSync(file('fat-out.jar'))).parts[0]?.data as Buffer,
    );
    expect(verify(file('inner.jar'))).toContain('jar verified.');
  });

  it('runs a Spring Boot jar, whose libraries are stored jars', { tags: ['night'] }, async () => {
    if (!existsSync(loader)) throw new Error(`missing: ${LOADER}`);
    compile();
    run('jar', '--create', '--file', 'library.jar', '-C', 'library', '.');
    const folder = file('boot');
    mkdirSync(join(folder, 'BOOT-INF/lib'), { recursive: true });
    execFileSync(join(jdk, 'bin', 'jar'), ['xf', loader], { cwd: folder });
    rmSync(join(folder, 'META-INF'), { recursive: true, force: true });
    mkdirSync(join(folder, 'BOOT-INF/classes/app'), { recursive: true });
    for (const name of readdirSync(file('classes/app'))) {
      writeFileSync(
        join(folder, 'BOOT-INF/classes/app', name),
        readFileSync(file(`classes/app/${name}`)),
      );
    }
    writeFileSync(join(folder, 'BOOT-INF/lib/library.jar'), readFileSync(file('library.jar')));
    writeFileSync(
      file('boot.mf'),
      [
        'Main-Class: org.springframework.boot.loader.launch.JarLauncher',
        'Start-Class: app.Main',
        'Spring-Boot-Classes: BOOT-INF/classes/',
        'Spring-Boot-Lib: BOOT-INF/lib/',
        '',
      ].join('\n'),
    );
    run(
      'jar',
      '--create',
      '--no-compress',
      '--file',
      'boot.jar',
      '--manifest',
      'boot.mf',
      '-C',
      'boot',
      '.',
    );
    const input = file('boot.jar');
    expect(java('-jar', input)).toBe(before);
    const output = await change(input, 'boot-out.jar');
    expect(java('-jar', output)).toBe(after);
    compare(input, output);
    const [inner] = dissect(readFileSync(output)).parts.filter(({ name }) =>
      name.endsWith('library.jar'),
    );
    expect(inner?.method).toBe(0);
    const compressed = dissect(inner?.data as Buffer).parts.find(({ name }) =>
      name.endsWith('.class'),
    );
    expect(inflateRawSync(compressed?.data as Buffer).includes('안녕')).toBe(true);
  });

  it('runs a jar with numbers of 64 bits', async () => {
    const script = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as source, zipfile.ZipFile(sys.argv[2], 'w', zipfile.ZIP_DEFLATED) as target:
    for info in source.infolist():
        with target.open(info.filename, 'w', force_zip64=True) as entry:
            entry.write(source.read(info))
`;
    const input = make('small.jar');
    execFileSync('python3', ['-c', script, input, file('zip64.jar')]);
    expect(java('-jar', file('zip64.jar'))).toBe(before);
    const output = await change(file('zip64.jar'), 'zip64-out.jar');
    expect(java('-jar', output)).toBe(after);
    compare(file('zip64.jar'), output);
  });

  it('runs a jar of more than 65,535 entries', async () => {
    const input = make('few.jar');
    const few = dissect(readFileSync(input)).parts;
    const items = [
      ...few.map(({ name, data, method }) => ({
        name,
        bytes: method === 8 ? inflateRawSync(data) : data,
        method,
      })),
      ...Array.from({ length: 70_000 }, (_, i) => ({ name: `x/${i}`, method: 0 })),
    ];
    const path = file('many.jar', zip(items, { isLarge: true }));
    expect(java('-jar', path)).toBe(before);
    const output = await change(path, 'many-out.jar');
    expect(java('-jar', output)).toBe(after);
    compare(path, output);
  });
});

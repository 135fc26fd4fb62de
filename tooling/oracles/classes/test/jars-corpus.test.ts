/** The classes in archives in archives, and those of other names than `.class`: as `java.util.zip` finds them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { readJar } from '@utf8/classfile/jar';
import { afterAll, describe, expect, it } from 'vitest';
import { compileAsm } from '../src/compare.js';
import { findFiles, libraries, SHARE } from '../src/corpus.js';
import type { JavaProgram } from '../src/java.js';

const names = ['spring-boot-cli', 'opentelemetry-javaagent', 'elastic-apm-agent', 'lombok'];

const program = compileAsm()?.program;
afterAll(() => program?.remove());

describe.runIf(program)('classes are found', { tags: ['slow'] }, () => {
  it.each(libraries.filter(({ name }) => names.includes(name)))('in $name', async (library) => {
    const folder = library.extract(program as JavaProgram);
    const found = new Set<string>();
    for await (const { path: name, bytes } of readJar(library.archive as string)) {
      // Of classes of one path the first counts.
      if (crc32(name) % SHARE !== 0 || found.has(name)) continue;
      found.add(name);
      if (!readFileSync(path.join(folder, name)).equals(bytes)) expect.fail(name);
    }
    expect([...found].sort()).toEqual(findFiles(folder));
    expect(found.size).toBeGreaterThan(40);
  });
});

/**
 * The classes in archives in archives, and those of other names than `.class`: as `java.util.zip` finds them.
 *
 * @module-tag night
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readJar } from '@utf8/classfile/jar';
import { expect, it } from 'vitest';
import { useAsm } from '../src/compare.js';
import { libraries } from '../src/corpus.js';
import { findFiles } from '../src/folder.js';

const names = ['spring-boot-cli', 'opentelemetry-javaagent', 'elastic-apm-agent', 'lombok'];

const { program } = useAsm();

it.each(libraries.filter(({ name }) => names.includes(name)))(
  'classes are found in $name',
  async (library) => {
    const folder = library.extract(program);
    const found = new Set<string>();
    for await (const { path: name, bytes } of readJar(library.archive as string)) {
      // Of classes with one name the first counts; the others have another path.
      if (/ \(entry \d+\)$/.test(name)) continue;
      found.add(name);
      if (!readFileSync(path.join(folder, name)).equals(bytes)) expect.fail(name);
    }
    expect([...found].sort()).toEqual(findFiles(folder));
    expect(found.size).toBeGreaterThan(40);
  },
);

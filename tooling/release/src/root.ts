/** Systems that have next to nothing, as folders to change the root to. */
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { demand, findProgram } from '@utf8/systems/databases/program';
import { DebianFiles } from './parts.mjs';

/** A root folder for programs, which find only its files: no /proc and no /dev. */
export class Root {
  readonly folder: string;

  /**
   * @param folder - Is created.
   * @param packages - Debian's, whose programs and libraries are copied.
   */
  constructor(folder: string, packages: readonly string[]) {
    this.folder = folder;
    for (const name of ['bin', 'tmp']) mkdirSync(join(folder, name), { recursive: true });
    for (const name of packages) {
      const source = new DebianFiles(name).folder;
      for (const each of ['bin', 'lib', 'lib64', 'usr/lib']) {
        if (!existsSync(join(source, each))) continue;
        mkdirSync(join(folder, each), { recursive: true });
        demand('cp', ['-a', `${source}/${each}/.`, join(folder, each)]);
      }
    }
  }

  /** Makes a symbolic link, and the folder that it is in. */
  link(file: string, target: string): this {
    mkdirSync(join(this.folder, file, '..'), { recursive: true });
    symlinkSync(target, join(this.folder, file));
    return this;
  }

  /** Adds a folder without copying the content of files. */
  share(source: string, name: string): this {
    demand('cp', ['-al', source, join(this.folder, name)]);
    return this;
  }

  /** The words of a command in this root, without any environment. */
  command(words: readonly string[]): string[] {
    return ['/usr/bin/env', '-i', findProgram('chroot') as string, this.folder, ...words];
  }
}

/**
 * A workspace as pnpm lays it out, in memory: a virtual store of the packages, and applications that see
 * only the links to their own dependencies.
 */
import path from 'node:path';
import { packages } from './packages.js';

const { dirname, join } = path.posix;

export const root = '/workspace';

export class Workspace {
  readonly #files = new Map<string, string>();
  readonly #links = new Map<string, string>();
  readonly #folders = new Map<string, Set<string>>();

  constructor() {
    for (const { name, files, dependencies } of packages) {
      for (const [file, text] of files) this.write(join(inStore(name), name, file), text);
      for (const dependency of dependencies) this.#install(inStore(name), dependency);
    }
    this.write(join(root, 'package.json'), '{ "private": true }');
  }

  /** Adds an application. */
  add(
    folder: string,
    dependencies: readonly string[],
    files: Readonly<Record<string, string>>,
  ): void {
    this.write(join(root, folder, 'package.json'), '{ "private": true }');
    for (const name of dependencies) this.#install(join(root, folder, 'node_modules'), name);
    for (const [file, text] of Object.entries(files)) this.write(join(root, folder, file), text);
  }

  /** Links a folder from elsewhere, which may be on disk. */
  link(file: string, target: string): void {
    this.#links.set(file, target);
    this.#enter(file);
  }

  write(file: string, text: string): void {
    this.#files.set(file, text);
    this.#enter(file);
  }

  #install(modules: string, name: string): void {
    this.link(join(modules, name), join(inStore(name), name));
  }

  #enter(file: string): void {
    const folder = dirname(file);
    if (folder === file) return;
    const names = this.#folders.get(folder);
    if (names) names.add(file);
    else {
      this.#folders.set(folder, new Set([file]));
      this.#enter(folder);
    }
  }

  /** Follows links. A result outside of the workspace is a path on disk. */
  resolve(file: string): string {
    for (let end = file.length; end > 0; end = file.lastIndexOf('/', end - 1)) {
      const target = this.#links.get(file.slice(0, end));
      if (target) return this.resolve(target + file.slice(end));
    }
    return file;
  }

  /** The text of a file by its real path. */
  read(file: string): string | undefined {
    return this.#files.get(file);
  }

  /** The names in a folder by its real path; undefined if there is no such folder. */
  list(folder: string): string[] | undefined {
    const files = this.#folders.get(folder);
    return files && [...files].map((file) => path.posix.basename(file));
  }
}

/** Returns the folder that contains a package and its dependencies. */
function inStore(name: string): string {
  const folder = `${name.replace('/', '+')}@0.0.0`;
  return join(root, 'node_modules/.pnpm', folder, 'node_modules');
}

export const isVirtual = (file: string): boolean => file === root || file.startsWith(`${root}/`);

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Options } from 'tsup';
import ts from 'typescript';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** The source file of each entry, by its name in `dist`. */
export type Sources = Readonly<Record<string, string>>;

/**
 * Modules of a codec without state, whose identity does not matter. Each entry has its own copy; otherwise
 * `/lite` would load the kernel for the same rows and loops.
 */
const copied = /(?<![\\/]grammar)[\\/](packed|loops|grammar|number|concat)\.ts$/;

/**
 * Makes each entry one file. Node spends 0.5 to 1 ms to find, read and link a file, and with esbuild's
 * shared chunks a codec consisted of ten.
 *
 * A module that several entries reach belongs to the first of them, in their order. The others import it
 * from there, so that classes and registries stay one; the entry exports what they need of it.
 */
export function wholeFiles(sources: Sources): Plugin {
  return {
    name: 'whole-files',
    setup({ initialOptions, onResolve, onLoad }) {
      const extension = initialOptions.outExtension?.['.js'] ?? '.js';
      const { owners, shared } = share(sources);
      onResolve({ filter: /^\./ }, ({ path: specifier, importer }) => {
        const [from, to] = [owners.get(importer), owners.get(locate(specifier, importer))];
        if (!from || !to || from === to) return undefined;
        const file = path.posix.relative(path.posix.dirname(from), to) + extension;
        return { path: file.startsWith('.') ? file : `./${file}`, external: true };
      });
      onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        const more = shared.get(file);
        if (!more) return undefined;
        return { contents: `${readFileSync(file, 'utf8')}\n${more}`, loader: 'ts' };
      });
    },
  };
}

const locate = (specifier: string, importer: string): string =>
  path.resolve(path.dirname(importer), specifier.replace(/\.js$/, '.ts'));

/**
 * Finds which entry each module belongs to, and what each entry has to export for the others.
 *
 * @returns Names of entries by file, copied modules left out; and lines of source by the file of an entry.
 */
function share(sources: Sources): {
  owners: ReadonlyMap<string, string>;
  shared: ReadonlyMap<string, string>;
} {
  const entries = Object.entries(sources).map(
    ([name, file]) => [name, path.resolve(file)] as const,
  );
  const owners = new Map(entries.map(([name, file]) => [file, name]));
  const visit = (file: string, name: string): void => {
    for (const [next] of listImports(file)) {
      if (owners.has(next) || copied.test(next)) continue;
      owners.set(next, name);
      visit(next, name);
    }
  };
  for (const [name, file] of entries) visit(file, name);

  const homes = new Map<string, string>();
  for (const [file, owner] of owners) {
    for (const [module, names] of listImports(file)) {
      const home = owners.get(module);
      const entry = home && path.resolve(sources[home] as string);
      if (!home || home === owner || module === entry) continue;
      for (const name of names) {
        const key = `${home} ${name}`;
        if ((homes.get(key) ?? module) !== module) {
          throw new Error(`${home} would export two things as ${name}, one of ${module}`);
        }
        homes.set(key, module);
      }
    }
  }
  const shared = entries.map(([name, file]) => {
    const known = new Set(listImports(file, ts.isExportDeclaration).flatMap(([, names]) => names));
    const lines = Array.from(homes, ([key, module]) => {
      const [home, word = ''] = key.split(' ');
      if (home !== name || known.has(word)) return '';
      const relative = path.relative(path.dirname(file), module).replace(/\.ts$/, '.js');
      return `export { ${word} } from './${relative.split(path.sep).join('/')}';\n`;
    });
    return [file, lines.join('')] as const;
  });
  return { owners, shared: new Map(shared.filter(([, lines]) => lines)) };
}

type Import = readonly [module: string, names: readonly string[]];

/** Lists the modules of its own package that a module imports values of, with their names there. */
function listImports(
  file: string,
  isWanted: (node: ts.Node) => boolean = () => true,
): readonly Import[] {
  const { statements } = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.ES2022,
  );
  return statements.flatMap((statement): Import[] => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const clause = ts.isImportDeclaration(statement) ? statement.importClause : statement;
    const { moduleSpecifier } = statement;
    if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier) || clause?.isTypeOnly) return [];
    if (!moduleSpecifier.text.startsWith('.') || !isWanted(statement)) return [];
    const bindings = ts.isImportDeclaration(statement)
      ? statement.importClause?.namedBindings
      : statement.exportClause;
    const elements = bindings && 'elements' in bindings ? [...bindings.elements] : [];
    const names = elements
      .filter(({ isTypeOnly }) => !isTypeOnly)
      .map(({ propertyName, name }) => (propertyName ?? name).text);
    // Of types alone, nothing is left in the output.
    if (elements.length > 0 && names.length === 0) return [];
    return [[locate(moduleSpecifier.text, file), names]];
  });
}

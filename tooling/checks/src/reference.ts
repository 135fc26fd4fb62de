/** The reference of the published packages, as TypeDoc reads it from their sources. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, Logger, LogLevel, type ProjectReflection, TSConfigReader } from 'typedoc';
import { type Package, readPackages, root } from './packages.js';

/** One module that programs can import. */
export interface Entry {
  /** Specifier in imports, such as `@utf8/core/node`. */
  readonly specifier: string;
  /** The path of its source. */
  readonly source: string;
  /** True if its first comment contains `@internal`, which keeps it out of the reference. */
  readonly isInternal: boolean;
}

/** A reference, and what TypeDoc finds wrong with it. */
export interface Reference {
  readonly project: ProjectReflection;
  readonly warnings: readonly string[];
  /** Writes the reference as Markdown: a file for each module. */
  readonly write: (folder: string) => Promise<void>;
}

/**
 * Lists every module of every published package that has types of its own, `core` first: others export its names
 * again. The types of `/lite` are those of the full codec.
 */
export function listEntries(): Entry[] {
  const isCore = ({ name }: Package): number => Number(name === '@utf8/core');
  return readPackages('packages')
    .sort((a, b) => isCore(b) - isCore(a))
    .filter(({ manifest }) => !manifest.private)
    .flatMap(({ name, folder, manifest }) =>
      Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
        if (typeof target === 'string') return [];
        const { default: built, types } = 'default' in target ? target : target.import;
        if (types?.replace(/\.d\.ts$/, '.js') !== built) return [];
        const source = findSource(folder, built);
        const [comment = ''] = /^\s*\/\*\*[\s\S]*?\*\//.exec(readFileSync(source, 'utf8')) ?? [];
        const isInternal = /^ \* @internal$/m.test(comment);
        return [{ specifier: path.posix.join(name, subpath), source, isInternal }];
      }),
    );
}

/** Finds the source of a built module, as `tooling/build/tsup.ts` does the other way round. */
function findSource(folder: string, built: string): string {
  const name = path.relative('dist', built).replace(/\.js$/, '.ts');
  const candidates = ['src', 'src/generated'].map((each) => path.join(folder, each, name));
  const source = candidates.find((file) => existsSync(file));
  if (!source) throw new Error(`${built} of ${folder} has no source`);
  return source;
}

/** Below this package, so that it extends the settings of the repository. */
const cache = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));

/** Options of typedoc-plugin-markdown. */
const markdown = {
  plugin: ['typedoc-plugin-markdown'],
  outputFileStrategy: 'modules',
  entryFileName: 'index',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  disableSources: true,
  useCodeBlocks: true,
  expandParameters: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  propertyMembersFormat: 'table',
  typeDeclarationFormat: 'table',
  enumMembersFormat: 'table',
  groupOrder: ['Functions', 'Classes', 'Variables', '*'],
} as Readonly<Record<string, unknown>>;

/**
 * Reads the reference from sources; builds are not needed.
 *
 * @returns One module for each entry, named by its specifier; and what TypeDoc warns of, such as broken links.
 */
export async function readReference(entries: readonly Entry[]): Promise<Reference> {
  const tsconfig = path.join(cache, 'reference.json');
  mkdirSync(cache, { recursive: true });
  const settings = {
    extends: path.join(root, 'tsconfig.base.json'),
    compilerOptions: {
      // A name that one package exports from another one is then the same symbol.
      paths: Object.fromEntries(
        listEntries().map(({ specifier, source }) => [specifier, [source]]),
      ),
      typeRoots: [path.join(root, 'node_modules/@types')],
      isolatedDeclarations: false,
    },
    files: entries.map(({ source }) => source),
  };
  writeFileSync(tsconfig, JSON.stringify(settings));
  const app = await Application.bootstrapWithPlugins(
    {
      tsconfig,
      entryPoints: entries.map(({ source }) => source),
      // Subclasses of Node's or the language's classes inherit documentation that is not ours.
      excludeExternals: true,
      excludeInternal: true,
      excludePrivate: true,
      // `npm run typecheck` finds them, and takes six times as long.
      skipErrorChecking: true,
      readme: 'none',
      basePath: root,
      disableGit: true,
      sourceLinkTemplate: '{path}',
      logLevel: 'Warn',
      ...markdown,
    },
    [new TSConfigReader()],
  );
  const warnings: string[] = [];
  app.logger = new Warnings(warnings);
  const project = await app.convert();
  if (!project) throw new Error('TypeDoc cannot read the sources');
  const specifiers = new Map(
    entries.map(({ specifier, source }) => [path.relative(root, source), specifier]),
  );
  for (const module of project.children ?? []) {
    const file = module.sources?.[0]?.fileName ?? '';
    module.name = specifiers.get(file) ?? module.name;
  }
  app.validate(project);
  const write = async (folder: string): Promise<void> => {
    await app.outputs.writeOutput({ name: 'markdown', path: folder }, project);
  };
  return { project, warnings, write };
}

/** Keeps what TypeDoc warns of. */
class Warnings extends Logger {
  readonly #messages: string[];

  constructor(messages: string[]) {
    super();
    this.#messages = messages;
  }

  override log(message: string, level: LogLevel): void {
    if (level >= LogLevel.Warn) this.#messages.push(message);
  }
}

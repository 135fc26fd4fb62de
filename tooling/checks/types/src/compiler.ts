/** Programs under one of the compilers, with one library and one way to find modules. */
import { createRequire } from 'node:module';
import path from 'node:path';
import type * as TypeScript from 'typescript-6.0';
import { isVirtual, root, type Workspace } from './workspace.js';

const require = createRequire(import.meta.url);

/** The oldest supported compiler, and the current ones. */
export const versions = ['5.4', '5.9', '6.0'] as const;
export type Version = (typeof versions)[number];

/** The declarations that a program sees in addition to its own and its packages'. */
export const libraries = {
  none: { lib: ['lib.es2022.d.ts'], types: [] },
  dom: { lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'], types: [] },
  node: { lib: ['lib.es2022.d.ts'], types: ['node'] },
} as const;
export type Library = keyof typeof libraries;

export type Format = 'esm' | 'cjs';

/** Module resolutions, with the extension of a file that imports in each format. */
export const resolutions = {
  node16: {
    module: 'Node16',
    moduleResolution: 'Node16',
    extensions: { esm: '.mts', cjs: '.cts' },
  },
  nodenext: {
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    extensions: { esm: '.mts', cjs: '.cts' },
  },
  bundler: { module: 'ESNext', moduleResolution: 'Bundler', extensions: { esm: '.ts' } },
  node10: { module: 'CommonJS', moduleResolution: 'Node10', extensions: { cjs: '.ts' } },
} as const;
export type Resolution = keyof typeof resolutions;

export interface Setting {
  readonly version: Version;
  readonly library: Library;
  readonly resolution: Resolution;
  readonly exactOptionalPropertyTypes: boolean;
}

export interface Outcome {
  /** Errors of the setting itself. */
  readonly general: readonly string[];
  /** The errors in a file, by its path in the workspace. */
  readonly errors: ReadonlyMap<string, readonly string[]>;
  /** The declarations that the compiler writes for the root files, by their paths. */
  readonly declarations: ReadonlyMap<string, string>;
}

type Compiler = typeof TypeScript;

const nodeTypes = path.dirname(require.resolve('@types/node/package.json'));
const load = (version: Version): Compiler => require(`typescript-${version}`);

/** Checks files of a workspace and emits their declarations. */
export function compile(workspace: Workspace, files: readonly string[], setting: Setting): Outcome {
  const ts = load(setting.version);
  const { lib, types } = libraries[setting.library];
  const { module, moduleResolution } = resolutions[setting.resolution];
  workspace.link(`${root}/node_modules/@types/node`, nodeTypes);
  const options: TypeScript.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: [...lib],
    types: [...types],
    module: ts.ModuleKind[module],
    moduleResolution: ts.ModuleResolutionKind[moduleResolution],
    // TypeScript 6 reports node10 as deprecated.
    ...(setting.version === '6.0' && setting.resolution === 'node10'
      ? { ignoreDeprecations: '6.0' }
      : {}),
    strict: true,
    exactOptionalPropertyTypes: setting.exactOptionalPropertyTypes,
    skipLibCheck: false,
    // The compiler's own libraries need no check here, and take most of the time.
    skipDefaultLibCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: root,
    outDir: `${root}/out`,
  };
  const host = createHost(ts, workspace, options);
  const declarations = new Map<string, string>();
  host.writeFile = (file, text) => declarations.set(file.replace(`${root}/out/`, ''), text);
  const program = ts.createProgram({
    rootNames: files.map((file) => `${root}/${file}`),
    options,
    host,
  });
  const general: string[] = [];
  const errors = new Map<string, string[]>();
  program.emit();
  const diagnostics = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program.getSemanticDiagnostics(),
    // tsc reports these only if there are no others.
    ...program.getDeclarationDiagnostics(),
  ];
  for (const { file, start, code, messageText } of diagnostics) {
    const message = `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    if (!file) {
      general.push(message);
      continue;
    }
    const { line } = ts.getLineAndCharacterOfPosition(file, start ?? 0);
    const name = file.fileName.replace(`${root}/`, '');
    const row = file.text.split('\n')[line]?.trim();
    const messages = errors.get(name) ?? [];
    errors.set(name, messages);
    messages.push(`${line + 1}: ${row}\n  ${message.replaceAll('\n', '\n  ')}`);
  }
  return { general, errors, declarations };
}

/** Parsed files from disk, by compiler and format: parsing them again takes seconds. */
const parsed = new Map<string, TypeScript.SourceFile | undefined>();

function createHost(
  ts: Compiler,
  workspace: Workspace,
  options: TypeScript.CompilerOptions,
): TypeScript.CompilerHost {
  const disk = ts.createCompilerHost(options);
  const fileExists = (file: string): boolean => {
    const real = workspace.resolve(file);
    return isVirtual(real) ? workspace.read(real) !== undefined : ts.sys.fileExists(real);
  };
  const readFile = (file: string): string | undefined => {
    const real = workspace.resolve(file);
    return isVirtual(real) ? workspace.read(real) : ts.sys.readFile(real);
  };
  return {
    ...disk,
    fileExists,
    readFile,
    getCurrentDirectory: () => root,
    realpath: (file) => {
      const real = workspace.resolve(file);
      return isVirtual(real) ? real : (ts.sys.realpath?.(real) ?? real);
    },
    directoryExists: (folder) => {
      const real = workspace.resolve(folder);
      return isVirtual(real) ? workspace.list(real) !== undefined : ts.sys.directoryExists(real);
    },
    getDirectories: (folder) => {
      const real = workspace.resolve(folder);
      return isVirtual(real) ? (workspace.list(real) ?? []) : ts.sys.getDirectories(real);
    },
    getSourceFile: (file, languageVersionOrOptions) => {
      const create = () => {
        const text = readFile(file);
        if (text === undefined) return undefined;
        return ts.createSourceFile(file, text, languageVersionOrOptions, true);
      };
      const real = workspace.resolve(file);
      if (isVirtual(real)) return create();
      const key = `${ts.version} ${JSON.stringify(languageVersionOrOptions)} ${real}`;
      if (!parsed.has(key)) parsed.set(key, create());
      return parsed.get(key);
    },
  };
}

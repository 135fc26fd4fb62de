// Writes the declarations of a package: node ../../tooling/build/declarations.mjs, in its folder, after tsup
//
// With `isolatedDeclarations`, the declarations of a file follow from that file alone. So this checks no types, which
// `npm run typecheck` does. The compiler's own maps lead "go to definition" to the sources. Files that no entry reaches
// are left out. CommonJS modules have the same declarations, under another extension.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const folder = 'dist/types';
const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const targets = Object.values(exports).filter((each) => typeof each === 'object');
/** What manifests name, for ESM and for CommonJS. */
const entries = targets.flatMap(({ types, import: esm, require: cjs }) =>
  [types, esm?.types, cjs?.types].filter(Boolean),
);
const extensions = entries.some((file) => file.endsWith('.cts')) ? ['ts', 'cts'] : ['ts'];

/** Relative specifiers of modules, in declarations. */
const specifiers = /(?<=\b(?:from|import\() *["'])(\.[^"']*)\.js(?=["'])/g;

const options = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  strict: true,
  isolatedDeclarations: true,
  verbatimModuleSyntax: true,
  declarationMap: true,
};

const write = (file, text) => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
};

/** Writes the declarations of a source, and returns the sources that they import. */
function declare(source) {
  const { outputText, sourceMapText, diagnostics } = ts.transpileDeclaration(
    readFileSync(source, 'utf8'),
    { fileName: source, reportDiagnostics: true, compilerOptions: options },
  );
  for (const { messageText } of diagnostics ?? []) {
    throw new Error(`${source}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  }
  // Only bundles contain private declarations.
  if (/'@utf8\/files'/.test(outputText))
    throw new Error(`${source}: exports a type of @utf8/files`);
  const base = path.join(folder, path.relative('src', source).replace(/\.ts$/, ''));
  const code = outputText.replace(/\/\/# sourceMappingURL=.*\s*$/, '');
  const map = {
    ...JSON.parse(sourceMapText),
    sources: [path.relative(path.dirname(base), source)],
  };
  for (const extension of extensions) {
    const file = `${base}.d.${extension}`;
    const text = extension === 'cts' ? code.replace(specifiers, '$1.cjs') : code;
    write(file, `${text}//# sourceMappingURL=${path.basename(file)}.map\n`);
    write(`${file}.map`, JSON.stringify({ ...map, file: path.basename(file) }));
  }
  return [...code.matchAll(specifiers)].map(([, name]) =>
    path.join(path.dirname(source), `${name}.ts`),
  );
}

rmSync(folder, { recursive: true, force: true });
const reached = new Set();
for (const types of entries) {
  const name = path.relative('dist', types).replace(/\.d\.c?ts$/, '');
  const source = [`src/${name}.ts`, `src/generated/${name}.ts`].find(existsSync);
  reached.add(source);
  const home = path.posix.join(folder, path.relative('src', source).replace(/\.ts$/, ''));
  const to = path.posix.relative(path.posix.dirname(path.posix.normalize(types)), home);
  const specifier = `'${to.startsWith('.') ? to : `./${to}`}${types.endsWith('.cts') ? '.cjs' : '.js'}'`;
  const hasDefault = /^export default |^export \{[^}]*\bdefault\b/m.test(
    readFileSync(source, 'utf8'),
  );
  write(
    types,
    `export * from ${specifier};\n${hasDefault ? `export { default } from ${specifier};\n` : ''}`,
  );
}
for (const source of reached) for (const next of declare(source)) reached.add(next);

// Maps of code need no copy of the sources that the package contains.
for (const file of readdirSync('dist', { recursive: true })) {
  if (!/\.c?js\.map$/.test(file)) continue;
  const place = path.join('dist', file);
  const map = JSON.parse(readFileSync(place, 'utf8'));
  map.sourcesContent = map.sources.map((source, i) =>
    path.join(path.dirname(place), source).startsWith('src')
      ? null
      : (map.sourcesContent?.[i] ?? null),
  );
  writeFileSync(place, JSON.stringify(map));
}

// Lets "go to definition" end in a package's sources: node ../../tooling/presets/maps.mjs, in its folder, after tsup
//
// tsup bundles declarations without a map. Here, each declared name in `dist` is found in `src`, and the place written
// into a map beside the declarations. Since packages contain `src`, maps of their code need no second copy of it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { encode } from '@jridgewell/sourcemap-codec';
import ts from 'typescript';

/** A declared name, its place, and those declared in it. */
class Declared {
  constructor(name, start, members) {
    this.name = name;
    this.start = start;
    this.members = members;
  }
}

const files = readdirSync('dist', { recursive: true, encoding: 'utf8' }).map((file) =>
  path.join('dist', file),
);
const declarations = files.filter((file) => /\.d\.c?ts$/.test(file));
const sources = new Map();
let count = 0;
for (const file of declarations) count += writeMap(file);
if (count === 0) throw new Error('found no declaration of dist in src');
for (const file of files.filter((each) => /\.c?js\.map$/.test(each))) dropOwnSources(file);

/** Writes the map of a file of declarations, and returns how many names it has. */
function writeMap(file) {
  const text = readFileSync(file, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\n$/, '\n');
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  const reachable = listReachable(findEntries(file));
  const places = [];
  const visit = (declared, candidates) => {
    const seen = new Map();
    for (const { name, start, members } of declared) {
      const found = candidates(name);
      // Overloads have one name, in one order.
      const turn = seen.get(name) ?? 0;
      seen.set(name, turn + 1);
      const match = found[Math.min(turn, found.length - 1)];
      if (!match) continue;
      places.push({ start, source: match.file, target: match.declared.start });
      visit(members, (member) =>
        match.declared.members
          .filter((each) => each.name === member)
          .map((each) => ({ file: match.file, declared: each })),
      );
    }
  };
  visit(listDeclared(tree), (name) => {
    // The bundler adds a number to a name that two files have.
    const plain = name.replace(/\$\d+$/, '');
    const homes = reachable.filter((each) => readSource(each).names.has(plain));
    if (homes.length === 0 || (plain !== name && homes.length > 1)) return [];
    return readSource(homes[0])
      .names.get(plain)
      .map((declared) => ({ file: homes[0], declared }));
  });
  if (places.length === 0) return 0;
  const used = [...new Set(places.map(({ source }) => source))];
  const lines = text.split('\n').map(() => []);
  for (const { start, source, target } of places.sort((a, b) => a.start - b.start)) {
    const from = ts.getLineAndCharacterOfPosition(tree, start);
    const to = ts.getLineAndCharacterOfPosition(readSource(source).tree, target);
    lines[from.line].push([from.character, used.indexOf(source), to.line, to.character]);
  }
  const map = {
    version: 3,
    file: path.basename(file),
    sources: used.map((each) => toUrl(path.relative(path.dirname(file), each))),
    names: [],
    mappings: encode(lines),
  };
  writeFileSync(`${file}.map`, JSON.stringify(map));
  writeFileSync(file, `${text}//# sourceMappingURL=${path.basename(file)}.map\n`);
  return places.length;
}

/** The sources of the entries whose declarations a file is part of. */
function findEntries(file) {
  const name = path.relative('dist', file).replace(/\.d\.c?ts$/, '');
  const own = [`src/${name}.ts`, `src/generated/${name}.ts`].find(existsSync);
  if (own) return [own];
  const base = `/${path.basename(name)}.`;
  return declarations
    .filter((each) => each !== file && readFileSync(each, 'utf8').includes(base))
    .flatMap(findEntries);
}

/** The sources that some sources import, nearest first. */
function listReachable(entries) {
  const reached = new Set(entries);
  for (const file of reached) {
    for (const each of readSource(file).imports) reached.add(each);
  }
  return [...reached];
}

function readSource(file) {
  const known = sources.get(file);
  if (known) return known;
  const text = readFileSync(file, 'utf8');
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  const names = new Map();
  for (const declared of listDeclared(tree)) {
    names.set(declared.name, [...(names.get(declared.name) ?? []), declared]);
  }
  const imports = ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((each) => each.startsWith('.'))
    .map((each) => path.join(path.dirname(file), each.replace(/\.js$/, '.ts')))
    .filter(existsSync);
  const source = { tree, names, imports };
  sources.set(file, source);
  return source;
}

/** Lists the names that the statements of a file, or the members of a type, declare. */
function listDeclared(tree) {
  const list = (node) => {
    const declared = [];
    const visit = (child) => {
      if (ts.isVariableStatement(child)) child.declarationList.declarations.forEach(visit);
      else if (child.name && ts.isIdentifier(child.name)) {
        const members = child.members ? list(child) : child.type ? list(child.type) : [];
        declared.push(new Declared(child.name.text, child.name.getStart(tree), members));
      }
    };
    ts.forEachChild(node, visit);
    return declared;
  };
  return list(tree);
}

/** Removes the sources of this package from a map: they are files of the package. */
function dropOwnSources(file) {
  const map = JSON.parse(readFileSync(file, 'utf8'));
  const isOwn = (source) => /^src[\\/]/.test(path.join(path.dirname(file), source));
  map.sourcesContent = map.sources.map((source, i) =>
    isOwn(source) ? null : (map.sourcesContent?.[i] ?? null),
  );
  writeFileSync(file, JSON.stringify(map));
}

function toUrl(file) {
  return file.split(path.sep).join('/');
}

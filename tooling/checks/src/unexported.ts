/** Types that public symbols refer to although no module exports them, so that a reference cannot describe them. */
import {
  DeclarationReflection,
  makeRecursiveVisitor,
  ParameterReflection,
  type ProjectReflection,
  type Reflection,
  SignatureReflection,
  type SomeType,
  TypeParameterReflection,
} from 'typedoc';

/** Lists such types of the packages of this repository, each with one symbol that refers to it. */
export function listUnexported(project: ProjectReflection): string[] {
  const found = new Map<string, string>();
  for (const reflection of Object.values(project.reflections)) {
    const visitor = makeRecursiveVisitor({
      reference(type) {
        const isKnown = type.reflection !== undefined || type.isIntentionallyBroken();
        if (isKnown || !type.package?.startsWith('@utf8/')) return;
        const name = `${type.package}: ${type.qualifiedName}`;
        if (!found.has(name)) found.set(name, reflection.getFriendlyFullName());
      },
    });
    for (const type of listTypes(reflection)) type.visit(visitor);
  }
  return Array.from(found, ([name, user]) => `${name}, of ${user}`).sort();
}

function listTypes(reflection: Reflection): SomeType[] {
  const types: (SomeType | undefined)[] = [];
  if (reflection instanceof DeclarationReflection) {
    const { type, extendedTypes = [], implementedTypes = [] } = reflection;
    types.push(type, ...extendedTypes, ...implementedTypes);
  } else if (
    reflection instanceof SignatureReflection ||
    reflection instanceof ParameterReflection
  ) {
    types.push(reflection.type);
  } else if (reflection instanceof TypeParameterReflection) {
    types.push(reflection.type, reflection.default);
  }
  return types.filter((type) => type !== undefined);
}

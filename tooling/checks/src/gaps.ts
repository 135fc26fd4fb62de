/** Gaps in the docstrings of a reference. */
import {
  type Comment,
  type DeclarationReflection,
  type ProjectReflection,
  ReflectionKind,
  type SignatureReflection,
  type SomeType,
} from 'typedoc';

/** A symbol of the reference, and what its docstring lacks. */
export interface Documented {
  /** The module that exports it, and its path there, such as `@utf8/core: Codec.decode`. */
  readonly symbol: string;
  readonly gaps: readonly string[];
}

/** Lists every symbol once, in the module that is the first to export it. */
export function listDocumented(project: ProjectReflection): Documented[] {
  return (project.children ?? []).flatMap((module) => [
    { symbol: module.name, gaps: findSummaryGaps(module.comment) },
    ...(module.children ?? []).flatMap((each) => listSymbols(module.name, each)),
  ]);
}

function listSymbols(module: string, reflection: DeclarationReflection): Documented[] {
  const visit = (each: DeclarationReflection, prefix: string): Documented[] => {
    const name = prefix + each.name;
    const members = listMembers(each).flatMap((member) => visit(member, `${name}.`));
    // A name that another module has exported before.
    if (each.kindOf(ReflectionKind.Reference)) return [];
    // Inherited members are documented at their origin.
    if (each.inheritedFrom) return [];
    const gaps = [...new Set(findGaps(each, prefix === ''))];
    return [{ symbol: `${module}: ${name}`, gaps }, ...members];
  };
  return visit(reflection, '');
}

/** Lists the declarations that need docstrings of their own: members of classes, interfaces and object types. */
function listMembers(reflection: DeclarationReflection): DeclarationReflection[] {
  if (reflection.children) return reflection.children;
  const hasProperties = reflection.kindOf([ReflectionKind.TypeAlias, ReflectionKind.Property]);
  return hasProperties ? listProperties(reflection.type) : [];
}

/** The properties of the object types in a type, such as in `readonly { … }[]`. */
function listProperties(type: SomeType | undefined): DeclarationReflection[] {
  switch (type?.type) {
    case 'reflection':
      return type.declaration.children ?? [];
    case 'union':
    case 'intersection':
      return type.types.flatMap((each) => listProperties(each));
    case 'tuple':
      return type.elements.flatMap((each) => listProperties(each as SomeType));
    case 'array':
      return listProperties(type.elementType);
    case 'typeOperator':
      return listProperties(type.target);
    case 'reference':
      return type.typeArguments?.flatMap((each) => listProperties(each)) ?? [];
    default:
      return [];
  }
}

function findGaps(reflection: DeclarationReflection, isTop: boolean): string[] {
  const { comment } = reflection;
  if (reflection.kindOf(ReflectionKind.Accessor)) {
    const { getSignature, setSignature } = reflection;
    return findSummaryGaps((getSignature ?? setSignature)?.comment ?? comment);
  }
  const signatures = listSignatures(reflection);
  if (reflection.kindOf(ReflectionKind.Constructor)) {
    return signatures.flatMap((signature) => findParameterGaps(signature));
  }
  if (signatures.length > 0) {
    const gaps = signatures.flatMap((signature) => findSignatureGaps(signature, comment));
    const comments = [comment, ...signatures.map((each) => each.comment)];
    const isFunction = isTop && reflection.kindOf(ReflectionKind.Function);
    return isFunction ? [...gaps, ...findExampleGaps(comments)] : gaps;
  }
  const gaps = [
    ...findSummaryGaps(comment),
    ...findUnitGaps(reflection, comment?.summary),
    ...findDefaultGaps(reflection),
  ];
  if (reflection.kindOf(ReflectionKind.Class)) {
    const constructors = reflection.children?.filter((each) =>
      each.kindOf(ReflectionKind.Constructor),
    );
    const comments = constructors?.flatMap(({ signatures = [] }) => signatures) ?? [];
    return [...gaps, ...findExampleGaps([comment, ...comments.map((each) => each.comment)])];
  }
  if (reflection.kindOf(ReflectionKind.Variable) && isCallable(reflection.type)) {
    return [...gaps, 'is a constant that programs call, without @function or @class'];
  }
  return gaps;
}

/** The signatures of a function or method, and those of a property that is one. */
function listSignatures(reflection: DeclarationReflection): readonly SignatureReflection[] {
  if (reflection.signatures) return reflection.signatures;
  const { type } = reflection;
  if (!reflection.kindOf(ReflectionKind.Property) || type?.type !== 'reflection') return [];
  return type.declaration.signatures ?? [];
}

function isCallable(type: SomeType | undefined): boolean {
  if (type?.type === 'reflection') return Boolean(type.declaration.signatures);
  // The functions of a codec.
  if (type?.type === 'indexedAccess') return type.objectType.toString() === 'Codec';
  return type?.type === 'reference' && /Constructor$/.test(type.name);
}

function findSummaryGaps(comment: Comment | undefined): string[] {
  const [paragraph = ''] = read(comment?.summary).split('\n\n');
  if (!paragraph) return ['no summary'];
  return paragraph.endsWith('.') ? [] : ['the summary does not end in a full stop'];
}

function findSignatureGaps(signature: SignatureReflection, outer: Comment | undefined): string[] {
  const { comment = outer, type } = signature;
  // A property that is a function keeps its summary; its signature gets the tags.
  const described = read(comment?.summary) ? comment : outer;
  const gaps = [...findSummaryGaps(described), ...findParameterGaps(signature)];
  const summary = read(described?.summary);
  if (summary && !/^[A-Z][a-z]+s\b/.test(summary)) {
    gaps.push('the summary is not in the third person');
  }
  const returns = read(comment?.getTag('@returns')?.content);
  if (!returnsNothing(type) && !returns) gaps.push('no @returns');
  if (isNumber(type) && isPlace.test(returns) && !isUnit.test(returns)) {
    gaps.push('no unit in @returns');
  }
  const errors = comment?.getTags('@throws') ?? [];
  if (!errors.every(({ content }) => /^[A-Z]\w+ \S/.test(read(content)))) {
    gaps.push('a @throws without an error and its condition');
  }
  return gaps;
}

function findParameterGaps({ parameters = [] }: SignatureReflection): string[] {
  return parameters.flatMap((parameter) =>
    read(parameter.comment?.summary)
      ? findUnitGaps(parameter, parameter.comment?.summary)
      : [`no @param ${parameter.name}`],
  );
}

/** Names and descriptions of numbers whose unit differs from symbol to symbol. */
const isPlace = /\b(offset|index|length|start|end|from|to|next|size|position)\b/;

const isUnit =
  /\b(bytes?|bits|code units?|code points?|characters?|indices|numbers|elements|array|pool)\b|`\w+_ids`/;

function findUnitGaps(
  { name, type }: { readonly name: string; readonly type?: SomeType | undefined },
  text: CommentText,
): string[] {
  if (!isNumber(type) || !isPlace.test(name) || !read(text) || isUnit.test(read(text))) return [];
  return [`no unit of ${name}`];
}

/** Options say what happens without them. A function that is absent is not called. */
function findDefaultGaps({ parent, flags, comment }: DeclarationReflection): string[] {
  const isOption = flags.isOptional && /Options$/.test(parent?.name ?? '');
  return isOption && !/\bdefault/.test(read(comment?.summary)) ? ['no default'] : [];
}

function isNumber(type: SomeType | undefined): boolean {
  if (type?.type === 'union') return type.types.some((each) => isNumber(each));
  return type?.type === 'intrinsic' && type.name === 'number';
}

function returnsNothing(type: SomeType | undefined): boolean {
  if (!type) return true;
  if (type.type === 'intrinsic') return /^(void|never|undefined)$/.test(type.name);
  return (
    type.type === 'reference' && type.name === 'Promise' && returnsNothing(type.typeArguments?.[0])
  );
}

function findExampleGaps(comments: readonly (Comment | undefined)[]): string[] {
  const examples = comments.flatMap(
    (comment) => comment?.blockTags.filter(({ tag }) => tag === '@example') ?? [],
  );
  if (examples.length === 0) return ['no @example'];
  const isCode = /^```ts\n[\s\S]*\S[\s\S]*\n```$/;
  return examples.every(({ content }) => isCode.test(read(content)))
    ? []
    : ['an @example without code in a fence of ts'];
}

type CommentText = readonly { readonly text: string }[] | undefined;

const read = (parts: CommentText): string =>
  (parts ?? [])
    .map(({ text }) => text)
    .join('')
    .trim();

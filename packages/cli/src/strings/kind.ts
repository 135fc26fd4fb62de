/** Kinds of strings, for all forms of files. */
import { kinds as classKinds, type StringKind } from '@utf8/classfile';
import type { DataKind } from '@utf8/classfile/data';
import type { ResourceKind } from '@utf8/classfile/resources';

export type Kind = StringKind | ResourceKind | DataKind;

/** The kinds of classes and DEX files, then those that only Android's resources and heap dumps have. */
export const meanings: Readonly<Record<Kind, string>> = {
  literal: 'a string of the program',
  recipe: 'the text of a concatenation; U+0001 is an argument',
  'switch-label': 'a case of a switch over strings or patterns',
  'record-components': 'the names of the components of a record',
  lambda: 'a name in the code that reads serialized lambdas',
  'enum-constant': 'the name of an enum constant, as valueOf looks it up',
  'bootstrap-argument': 'another argument of a bootstrap method',
  name: 'a name of a class, field, method, variable, resource, …',
  descriptor: 'a type of a field or a method',
  signature: 'a generic type',
  annotation: 'a string in an annotation',
  'kotlin-metadata': 'a string in kotlin.Metadata',
  'scala-signature': 'a string in a Scala signature',
  attribute: 'the name of an attribute, such as Code, or of one in XML',
  source: 'the name of the source file, or the version of a module',
  unused: 'no known reference to it',
  value: 'the value of a resource, an XML attribute, a field or a tag',
  text: 'text between XML tags',
  type: 'a resource type, such as layout',
  style: 'a tag in a styled string',
  element: 'the name of an XML element',
  namespace: 'the prefix or URI of an XML namespace',
  comment: 'an XML comment',
  symbol: 'a name or a type in a heap dump',
};

export const kinds: readonly Kind[] = Object.keys(meanings) as Kind[];

/** Those of some kinds that classes and DEX files have. */
export const selectClassKinds = (some: readonly Kind[] | undefined): readonly StringKind[] =>
  classKinds.filter((kind) => !some || some.includes(kind));

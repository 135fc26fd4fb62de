/**
 * The tags of constants.
 *
 * @see The Java Virtual Machine Specification, table 4.4-A
 */
export const Tag = {
  Utf8: 1,
  Integer: 3,
  Float: 4,
  Long: 5,
  Double: 6,
  Class: 7,
  String: 8,
  Fieldref: 9,
  Methodref: 10,
  InterfaceMethodref: 11,
  NameAndType: 12,
  MethodHandle: 15,
  MethodType: 16,
  Dynamic: 17,
  InvokeDynamic: 18,
  Module: 19,
  Package: 20,
} as const;

/** Name of a tag: `CONSTANT_Utf8` without the first word. */
export type TagName = keyof typeof Tag;

/** Converts a table by names of tags to one by their numbers. */
export function byTag<T>(table: Readonly<Partial<Record<TagName, T>>>): readonly (T | undefined)[] {
  const list: (T | undefined)[] = new Array(32).fill(undefined);
  for (const [name, value] of Object.entries(table)) list[Tag[name as TagName]] = value;
  return list;
}

const names = byTag(
  Object.fromEntries(Object.keys(Tag).map((name) => [name, name])) as { [N in TagName]: N },
);

/** Returns the name of a tag. */
export const nameOf = (tag: number): TagName => names[tag] as TagName;

/** Several tags as bits: bit n for the tag of number n. */
export type TagSet = number;

export const tagSet = (...tags: TagName[]): TagSet =>
  tags.reduce((set, name) => set | (1 << Tag[name]), 0);

/** Lists the tags of a set for error messages: `Methodref or InterfaceMethodref`. */
export const listTags = (set: TagSet): string =>
  names.filter((name) => name && set & (1 << Tag[name])).join(' or ');

/** Class files put together from numbers, sound or not. */
import * as mutf8 from '@utf8/mutf8';

export type Bytes = readonly number[];

export const u2 = (value: number): Bytes => [(value >> 8) & 0xff, value & 0xff];
export const u4 = (value: number): Bytes => [...u2(Math.floor(value / 0x10000)), ...u2(value)];

/** Constants, by their names. A text may be bytes, which need not be well-formed. */
export const utf8 = (text: string | Bytes): Bytes => {
  const bytes = typeof text === 'string' ? [...mutf8.encode(text)] : text;
  return [1, ...u2(bytes.length), ...bytes];
};
export const integer = (value: number): Bytes => [3, ...u4(value)];
export const long = (value: number): Bytes => [5, ...u4(0), ...u4(value)];
export const classRef = (name: number): Bytes => [7, ...u2(name)];
export const string = (text: number): Bytes => [8, ...u2(text)];
export const methodref = (owner: number, nameAndType: number): Bytes => [
  10,
  ...u2(owner),
  ...u2(nameAndType),
];
export const nameAndType = (name: number, type: number): Bytes => [12, ...u2(name), ...u2(type)];
export const methodHandle = (kind: number, member: number): Bytes => [15, kind, ...u2(member)];
export const dynamic = (method: number, nameAndType: number): Bytes => [
  17,
  ...u2(method),
  ...u2(nameAndType),
];
export const moduleRef = (name: number): Bytes => [19, ...u2(name)];

/** A count and the items. */
export const list = (...items: Bytes[]): Bytes => [...u2(items.length), ...items.flat()];

/** An attribute. Its length is that of its content, unless a wrong one is given. */
export const attribute = (name: number, content: Bytes, length: number = content.length): Bytes => [
  ...u2(name),
  ...u4(length),
  ...content,
];

/** A field or a method. */
export const member = (name: number, type: number, ...attributes: Bytes[]): Bytes => [
  ...u2(0x0009), // public static
  ...u2(name),
  ...u2(type),
  ...list(...attributes),
];

/** Parts of a class file. Missing ones are those of an empty class `A`. */
export interface Parts {
  readonly major?: number;
  readonly minor?: number;
  /** Those from index 5 on: 1 to 4 are the names and the classes `A` and `java/lang/Object`. */
  readonly constants?: readonly Bytes[];
  /** The number of constants plus one, if it must be wrong. */
  readonly count?: number;
  readonly flags?: number;
  readonly thisClass?: number;
  readonly superClass?: number;
  readonly interfaces?: readonly number[];
  readonly fields?: readonly Bytes[];
  readonly methods?: readonly Bytes[];
  readonly attributes?: readonly Bytes[];
}

const basics = [utf8('A'), classRef(1), utf8('java/lang/Object'), classRef(3)];

export function assemble(parts: Parts = {}): Uint8Array {
  const constants = [...basics, ...(parts.constants ?? [])];
  // A Long or a Double takes two indices.
  const slots = constants.reduce((sum, [tag]) => sum + (tag === 5 || tag === 6 ? 2 : 1), 1);
  return Uint8Array.from([
    ...u4(0xcafebabe),
    ...u2(parts.minor ?? 0),
    ...u2(parts.major ?? 61),
    ...u2(parts.count ?? slots),
    ...constants.flat(),
    ...u2(parts.flags ?? 0x0021), // public super
    ...u2(parts.thisClass ?? 2),
    ...u2(parts.superClass ?? 4),
    ...list(...(parts.interfaces ?? []).map(u2)),
    ...list(...(parts.fields ?? [])),
    ...list(...(parts.methods ?? [])),
    ...list(...(parts.attributes ?? [])),
  ]);
}

/** Offset of the first constant of {@link Parts.constants}, in bytes. */
export const FIRST_CONSTANT: number = 10 + basics.flat().length;

/** A class with a method, a literal and an annotation, as tools other than javac make them. */
export const assembled: Buffer = Buffer.from(
  assemble({
    constants: [
      utf8('main'),
      utf8('()V'),
      utf8('Code'),
      string(5),
      utf8('RuntimeVisibleAnnotations'),
      utf8('Lkotlin/Metadata;'),
      utf8('\0\u0001'),
    ],
    methods: [
      member(
        5,
        6,
        attribute(7, [...u2(1), ...u2(1), ...u4(3), 0x12, 8, 0xb1, ...list(), ...list()]),
      ),
    ],
    attributes: [
      attribute(9, list([...u2(10), ...list([...u2(5), 0x5b, ...list([0x73, ...u2(11)])])])),
    ],
  }),
);

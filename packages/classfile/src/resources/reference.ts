/** References to strings in resources. */
import type { Cursor } from '../android/cursor.js';
import { ResourceError, refuse, type Tell } from './error.js';
import type { StringPool } from './string-pool.js';

/**
 * Kind of a string in resources, by its use.
 *
 * - `value`: of a resource, or of an attribute in XML. Names of files, such as `res/layout/main.xml`, too.
 * - `text`: between the tags of XML.
 * - `name`: of a resource.
 * - `type`: of resources, such as `string`.
 * - `style`: a tag in a styled string, such as `b` or `a;href=…`.
 * - `element`, `attribute`: the name of one, in XML.
 * - `namespace`: its prefix or its URI, in XML.
 * - `comment`: in XML.
 */
export type ResourceKind =
  | 'value'
  | 'text'
  | 'name'
  | 'type'
  | 'style'
  | 'element'
  | 'attribute'
  | 'namespace'
  | 'comment';

/** The resource that has a string as its name or a value. */
export interface Resource {
  /** Identifier in code, such as 0x7f010000. */
  readonly id: number;
  /** The name of the package, such as `org.example.app`. */
  readonly package: string;
  /** Type, such as `string`; `?` if the table does not contain it. */
  readonly type: string;
  /** Name, such as `app_name`; `?` if the table does not contain it. */
  readonly name: string;
  /** Configuration as folders of resources name it, such as `de-rAT` or `sw600dp-v13`; empty for the default. */
  readonly configuration: string;
  /**
   * For a string in a style, in plurals or in an array, the number that names the item: the identifier of
   * an attribute, a quantity (0x01000004 for `other`), or a position, from 0x01000001 (aapt2) or 0x02000000
   * (aapt) on.
   */
  readonly item: number | undefined;
}

/** Place of a string in XML. */
export interface XmlPlace {
  /** The line of the source, from 1. */
  readonly line: number;
  /** The name of the element; undefined for namespaces, and for text. */
  readonly element: string | undefined;
  /** The name of the attribute; empty if the file keeps only its identifier. */
  readonly attribute: string | undefined;
}

/** A place that refers to a string. */
export interface Reference {
  readonly kind: ResourceKind;
  readonly pool: StringPool;
  /** The index of the string in the pool. */
  readonly index: number;
  /** Offset of that index, in bytes from the start of the file. */
  readonly offset: number;
  /** Index of the styled string, if the string is the name of a tag. */
  readonly styled?: number | undefined;
  readonly resource?: (() => Resource) | undefined;
  readonly xml?: XmlPlace | undefined;
}

/** Tells whether an index refers to a string; if not, that is reported. */
export function hasString(pool: StringPool, index: number, offset: number, tell: Tell): boolean {
  if (index < pool.count) return true;
  const what = `the index ${index} exceeds the ${pool.count} strings`;
  tell(new ResourceError('invalid-index', offset, what));
  return false;
}

/** A `Res_value`. */
export interface Value {
  readonly isString: boolean;
  /** Offset of its data, in bytes from the start of the file. */
  readonly offset: number;
}

/** The type of a value that is a string. */
export const STRING = 3;

const VALUE_SIZE = 8;

/** Reads a `Res_value`, which may be longer than the known structure. */
export function readValue(cursor: Cursor): Value {
  const start = cursor.offset;
  const size = cursor.u2();
  if (size < VALUE_SIZE) refuse('invalid-value', start, `a value has a size of ${size}`);
  cursor.skip(size - 2);
  return { isString: cursor.bytes[start + 3] === STRING, offset: start + 4 };
}

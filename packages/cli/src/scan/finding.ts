/** What a scan finds, as its report has it. The names are those of the JSON objects. */
import type { FindingKind } from '../repair/flaw.js';

/** What a repair would break. */
export const breakages = [
  'equal keys',
  'over the limit',
  'order',
  'length prefix',
  'unassigned plane',
] as const;

/** The values of the columns of `--key`, as text; null where there is none, such as NULL. */
export type Key = Readonly<Record<string, string | null>>;

/** Where somebody finds it. */
export interface Place {
  readonly file: string;
  /** From 1; 0 outside of records. */
  readonly record: number;
  /** From 1. */
  readonly line: number;
  readonly table?: string | undefined;
  /** Its name, or its number from 1 where it has none. */
  readonly column: string | number;
  /** Where `--key` asks for one. */
  readonly key?: Key | undefined;
  /** In bytes from the start of the file, as it is unpacked. */
  readonly offset: number;
}

/** A flaw of a text. */
export interface FlawFinding extends Place {
  readonly kind: FindingKind;
  /** Upper-case hex, separated by spaces. */
  readonly bytes: string;
  /** The same; null where the record would be rejected. */
  readonly becomes: string | null;
  /** What is wrong, where the source is malformed. */
  readonly reason?: string | undefined;
}

/** Another record, which this one comes into conflict with. */
export interface Other {
  readonly file: string;
  readonly record: number;
  readonly line: number;
  readonly key: Key;
}

/** A key that others have, too, once both are repaired, and had not before. */
export interface EqualKeys extends Place {
  readonly kind: 'equal keys';
  readonly becomes: Key;
  readonly other: Other;
}

/** A key that stands on the other side of the one before it, once both are repaired. */
export interface Reordered extends Place {
  readonly kind: 'order';
  /** The record before. */
  readonly other: Other;
  /** How the bytes of the two compare. */
  readonly before: Relation;
  readonly after: Relation;
}

/** How a key's bytes compare to those of the record before. */
export type Relation = 'less' | 'equal' | 'greater';

/** A text that is longer than its column. */
export interface OverLimit extends Place {
  readonly kind: 'over the limit';
  /** As it was written: `40b`. */
  readonly limit: string;
  /** The lengths, as it is and as it would be, in the unit of the limit. */
  readonly before: number;
  readonly after: number;
}

/** A length in front of a text that is no longer its length. */
export interface LengthPrefix extends Place {
  readonly kind: 'length prefix';
  /** Such as `s:6:`. */
  readonly prefix: string;
}

/** A character in a plane that has none. */
export interface UnassignedPlane extends Place {
  readonly kind: 'unassigned plane';
  readonly plane: number;
  /** Such as `U+50000`. */
  readonly character: string;
}

export type Finding =
  | FlawFinding
  | EqualKeys
  | Reordered
  | OverLimit
  | LengthPrefix
  | UnassignedPlane;

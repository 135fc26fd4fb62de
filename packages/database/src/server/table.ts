/** What a server says about a table. All of it is plain data. */
import type { ValueSyntax } from '@utf8/repair';

/** A table that holds text. */
export interface Table {
  /** For people: `users`, or `shop.users` if the server has several databases or schemas. */
  readonly name: string;
  /** As it is written in SQL. */
  readonly sql: string;
  /** Those that a repair reads: text, in any type that holds it. */
  readonly columns: readonly TextColumn[];
  /** All others, which a repair never changes, in order. Generated columns are not among them. */
  readonly otherColumns: readonly string[];
  /** What identifies a row; undefined if nothing does, and the table can be looked at but not repaired. */
  readonly key: RowKey | undefined;
  readonly uniqueKeys: readonly UniqueKey[];
  /** Foreign keys of text that begin here, or end here. */
  readonly references: readonly TextReference[];
  /** What else a change of a row sets off. */
  readonly effects: readonly Effect[];
  /** About so many; undefined if the server cannot tell at once. */
  readonly rows: number | undefined;
  /** Why no row of it can be repaired although it has a key: `MyISAM has no transactions; …`. */
  readonly refusal?: string | undefined;
}

/** A column of text. */
export interface TextColumn {
  readonly name: string;
  readonly sql: string;
  /** As it was declared, such as `varchar(40)`. */
  readonly type: string;
  /** What its values are written in, if they are more than text. */
  readonly syntax: ValueSyntax | undefined;
  readonly charset: string | undefined;
  readonly collation: string | undefined;
  /** The most that a value may have. */
  readonly characters: number | undefined;
  readonly bytes: number | undefined;
  readonly isGenerated: boolean;
  /**
   * Why the server cannot take repaired text as it is, such as a character set without four-byte
   * characters, and the statement that has to come first.
   */
  readonly obstacle: ColumnObstacle | undefined;
  /** Whether the server would not take malformed text back, though it has some. No by default. */
  readonly refusesMalformed?: boolean | undefined;
}

/** What must be changed about a column before its text can be repaired. */
export interface ColumnObstacle {
  /** In words: `utf8mb3 has no characters above U+FFFF`. */
  readonly why: string;
  /** `ALTER TABLE …` */
  readonly statement: string;
  /**
   * The most bytes that a character may have to be accepted all the same, such as 3 for utf8mb3; none is
   * by default.
   */
  readonly characterBytes?: number | undefined;
}

/** The columns that identify a row and order all rows: a key, `rowid` or `ctid`. */
export interface RowKey {
  readonly names: readonly string[];
  /** Whether it is the same as long as the row exists; `ctid` is not. */
  readonly isStable: boolean;
}

/** A unique key with a column of text. */
export interface UniqueKey {
  readonly name: string;
  readonly columns: readonly string[];
}

/** A foreign key by columns of text. */
export interface TextReference {
  readonly name: string;
  /** By `Table.name`. */
  readonly child: string;
  readonly childColumns: readonly string[];
  readonly parent: string;
  readonly parentColumns: readonly string[];
  /** Whether the server changes the children itself: ON UPDATE CASCADE. */
  readonly cascades: boolean;
}

/** What a change of a row sets off besides. */
export interface Effect {
  readonly kind: 'trigger' | 'history';
  /** Such as `trigger audit_users`. */
  readonly name: string;
}

/**
 * The value of a column of a key: a number or any other value in words, or bytes in hex. Plain JSON, for
 * journals.
 */
export type KeyValue = number | string | { readonly hex: string; readonly is: 'text' | 'blob' };

/** The values of a {@link RowKey}, in its order. */
export type Key = readonly KeyValue[];

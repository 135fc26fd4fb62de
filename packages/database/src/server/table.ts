/** Descriptions of tables by a server. All of it is plain data. */
import type { Structure } from '@utf8/repair';

/** A table that contains text. */
export interface Table {
  /** For people: `users`, or `shop.users` if the server has several databases or schemas. */
  readonly name: string;
  /** As it is written in SQL. */
  readonly sql: string;
  /** Those that a repair reads: text, in any type that contains it. */
  readonly columns: readonly TextColumn[];
  /** All others, which a repair never changes, in order. Generated columns are not among them. */
  readonly otherColumns: readonly string[];
  /** Key that identifies a row; undefined for a table that has none and can be scanned, but not repaired. */
  readonly key: RowKey | undefined;
  /** The unique keys that contain a column of text. */
  readonly uniqueKeys: readonly UniqueKey[];
  /** Foreign keys of text that begin here, or end here. */
  readonly references: readonly TextReference[];
  /** The side effects of changing a row. */
  readonly effects: readonly Effect[];
  /** The number of rows as an estimate; undefined if the server cannot tell at once. */
  readonly rows: number | undefined;
  /** Reason why no row can be repaired although the table has a key: `MyISAM has no transactions; ...`. */
  readonly refusal?: string | undefined;
}

/** A column of text. */
export interface TextColumn {
  /** The name of the column. */
  readonly name: string;
  /** The name as it is written in SQL. */
  readonly sql: string;
  /** As it was declared, such as `varchar(40)`. */
  readonly type: string;
  /** Structure of the values, if they are more than text. */
  readonly structure: Structure | undefined;
  /** The character set, as the server names it; undefined if it has none. */
  readonly charset: string | undefined;
  /**
   * The collation by which values are equal, as the server names it; `icu` for one of PostgreSQL that is not
   * deterministic. Undefined if only the same bytes are equal.
   */
  readonly collation: string | undefined;
  /** The most characters that a value may have; undefined if there is no such limit. */
  readonly characters: number | undefined;
  /** The most bytes that a value may have; undefined if there is no such limit. */
  readonly bytes: number | undefined;
  /** True if the server computes the values, so that a repair does not read them. */
  readonly isGenerated: boolean;
  /**
   * Reason why the server cannot store repaired text, such as a character set without four-byte characters,
   * and the statement that must come first.
   */
  readonly narrowness: Narrowness | undefined;
  /** True if the server refuses to store malformed text again, although it contains some; false by default. */
  readonly refusesMalformed?: boolean | undefined;
  /**
   * The characters of the bytes 80 to FF, empty for undefined bytes, if values that are not UTF-8 become UTF-8:
   * the column is then declared in it. Undefined by default: such values stay as they are.
   */
  readonly legacy?: readonly string[] | undefined;
}

/** Change that a column needs before its text can be repaired. */
export interface Narrowness {
  /** Reason in words: `utf8mb3 has no characters above U+FFFF`. */
  readonly why: string;
  /** The statement that changes it: `ALTER TABLE …`. */
  readonly statement: string;
  /**
   * The most bytes that a character may have to be accepted anyway, such as 3 for utf8mb3; none is by
   * default.
   */
  readonly characterBytes?: number | undefined;
}

/** The columns that identify a row and order all rows: a key, `rowid` or `ctid`. */
export interface RowKey {
  /** The names of the columns. */
  readonly names: readonly string[];
  /** True if a row keeps its key as long as it exists; `ctid` is not stable. */
  readonly isStable: boolean;
}

/** A unique key with a column of text. */
export interface UniqueKey {
  /** The name of the key. */
  readonly name: string;
  /** The names of its columns. */
  readonly columns: readonly string[];
}

/** A foreign key by columns of text. */
export interface TextReference {
  /** The name of the foreign key; for SQLite, its columns and those that it refers to. */
  readonly name: string;
  /** The table that refers to the other, by {@link Table.name}. */
  readonly child: string;
  /** The names of the columns that refer. */
  readonly childColumns: readonly string[];
  /** The table that is referred to, by {@link Table.name}. */
  readonly parent: string;
  /** The names of the columns that are referred to, in the order of `childColumns`. */
  readonly parentColumns: readonly string[];
  /** True if the server changes the children itself: ON UPDATE CASCADE. */
  readonly cascades: boolean;
}

/** A side effect of changing a row. */
export interface Effect {
  /** Kind of effect: a trigger or another function, or the history of a system-versioned table. */
  readonly kind: 'trigger' | 'history';
  /** Such as `trigger audit_users`. */
  readonly name: string;
}

/**
 * The value of a column of a key: a number or any other value in words, or bytes in hex. Plain JSON, for
 * undo logs.
 */
export type KeyValue =
  | number
  | string
  | {
      /** The bytes in lower-case hex. */
      readonly hex: string;
      /** Storage of the bytes: as text or as binary data. */
      readonly is: 'text' | 'blob';
    };

/** The values of a {@link RowKey}, in its order. */
export type Key = readonly KeyValue[];

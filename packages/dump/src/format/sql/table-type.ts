/**
 * Tables and types that the statements of a dump declare. All of it is plain data, for threads and
 * checkpoints.
 */
import type { Structure } from '@utf8/repair';
import type { Reach } from '../../charset/repertoire.js';
import type { ServerCharsets } from '../../charset/server.js';
import { EMPTY, type Trie } from './trie.js';

/** A column of a table. */
export interface ColumnType {
  readonly name: string;
  /**
   * `binary` is copied, and `text` is converted. Other types, such as numbers, have values in ASCII; so has
   * a column that is binary on some servers and text on others, otherwise it may be either.
   */
  readonly is: 'text' | 'binary' | 'other';
  /** True if an INSERT without a list of columns leaves it out; `maybe` if that depends on the server. */
  readonly isInvisible?: boolean | 'maybe' | undefined;
  readonly structure?: Structure | undefined;
  /** MySQL's character set; undefined if nothing tells. */
  readonly charset?: string | undefined;
  readonly collation?: string | undefined;
  /** Its character set before `fixHeader` has replaced it, if it has. */
  readonly was?: string | undefined;
  /** The most characters and bytes that it accepts. */
  readonly characters?: number | undefined;
  readonly bytes?: number | undefined;
  /** Line of the declaration. */
  readonly line: number;
}

/** A column of a unique key. */
export interface KeyPart {
  readonly name: string;
  /** Number of characters of a text, or of bytes of a blob, that are compared; all by default. */
  readonly length?: number | undefined;
}

/** A key whose values are unique. */
export interface UniqueKey {
  readonly columns: readonly KeyPart[];
  readonly line: number;
}

/** A foreign key. */
export interface Reference {
  readonly columns: readonly string[];
  /** The key of the other table in the catalogue, as far as it was known. */
  readonly table: string;
  /** Empty for its primary key. */
  readonly others: readonly string[];
  readonly line: number;
}

/** A table as it was created and altered. */
export interface TableType {
  /** As the dump writes it, without quotes. */
  readonly name: string;
  /** The bytes of its name as the dump spells it, in Latin-1, if they are not ASCII. */
  readonly spelling?: string | undefined;
  /** Undefined if a statement has hidden them, as `CREATE TABLE … AS SELECT`. */
  readonly columns: readonly ColumnType[] | undefined;
  readonly primary?: readonly KeyPart[] | undefined;
  readonly unique: readonly UniqueKey[];
  readonly references: readonly Reference[];
  /** Method and columns by which rows find their partition. */
  readonly partition?: { readonly by: string; readonly columns: readonly string[] } | undefined;
  /** The table of which it is a partition. */
  readonly root?: string | undefined;
  readonly charset?: string | undefined;
  readonly collation?: string | undefined;
  /** Its character set before `fixHeader` has replaced it, if it has. */
  readonly was?: string | undefined;
  readonly line: number;
}

/** A user-defined type: an alias of another one, a row type, or one with text of its own, as an enum. */
export type NamedType =
  | { readonly is: 'domain'; readonly column: Omit<ColumnType, 'name' | 'line'> }
  | { readonly is: 'composite'; readonly of: readonly (Structure | null)[] }
  | { readonly is: 'text' };

/** The settings that a dump makes for its session. */
export interface Session {
  /** The character set of the client, in lower case. */
  readonly charset?: string | undefined;
  /** The one before `fixHeader` has replaced it, if it has. */
  readonly was?: string | undefined;
  /** Another one that text passes on its way to a column, in MySQL, if there is one. */
  readonly connection?: string | undefined;
  /** True if a statement has set it, even if a later one has restored the default. */
  readonly isStated?: boolean | undefined;
  /** Number of times that a character set that lacks some characters has been set. */
  readonly narrowings?: number | undefined;
  /** Line that set it; 0 if none did. */
  readonly line: number;
}

/** State of the catalogue at a place in a dump. */
export interface CatalogueState {
  /** The current database, as `USE` or `\connect` names it; empty if nothing has. */
  readonly database: string;
  /** The schema of names without one, in PostgreSQL. */
  readonly schema: string;
  readonly tables: Trie<TableType>;
  /** The keys of tables by the aliases in statements. */
  readonly aliases: Trie<Trie<true>>;
  readonly types: Trie<NamedType>;
  /** Default character sets of databases. */
  readonly charsets: Trie<string>;
  readonly session: Session;
  /** Characters that all columns so far can contain. */
  readonly reach: Reach;
}

export const EMPTY_CATALOGUE: CatalogueState = {
  database: '',
  schema: '',
  tables: EMPTY,
  aliases: EMPTY,
  reach: 'all',
  types: EMPTY,
  charsets: EMPTY,
  session: { line: 0 },
};

/** The SQL of a format, as far as others ask for it. */
export interface SqlSource {
  readonly dialect: {
    /** Predicts the text that the server stores; undefined if it has one encoding only. */
    readonly charsets?: ServerCharsets | undefined;
    /** The character set that a dump without one should name; undefined if the server's is right. */
    readonly names: string | undefined;
  };
  readonly options: {
    readonly assume?: string | undefined;
    readonly fixesHeader?: boolean | undefined;
    readonly schema?: CatalogueState | undefined;
  };
}

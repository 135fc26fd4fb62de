/** The options of dump programs that are tried. */
import type { Engine } from './engine.js';

export type SchemaName = 'sakila' | 'northwind' | 'chinook' | 'types' | 'narrow';

/** A method of dumping a database, and the expected result. */
export interface Combination {
  /** Words of the dump program; `DB`, `LEAF` and `ROOT` are replaced with names of the schema. */
  readonly flags: readonly string[];
  /** The dump program; pg_dump and mariadb-dump by default. */
  readonly program?: 'pg_dumpall';
  /** Words of pg_restore, which writes the plain SQL. */
  readonly restore?: readonly string[];
  /**
   * Target of the dump: an empty database; one that has the tables; a server without a database of its name;
   * or the files of --tab.
   */
  readonly load?: 'empty' | 'tables' | 'server' | 'tab';
  /** The sections that are dumped as files of their own, converted, and loaded one after the other. */
  readonly sections?: boolean;
  /** Complaints that the loading client may make. */
  readonly tolerates?: RegExp;
  /** Tables to compare (default: all). */
  readonly tables?: 'ROOT' | 'all but LEAF';
  /** True if the dump contains rows. */
  readonly hasRows?: boolean;
  /** True if views, routines and comments are compared, too. */
  readonly hasDefinitions?: boolean;
  /** More options of `utf8 convert`. */
  readonly options?: readonly string[];
  /** Expected result of `utf8 convert` on the dump (default: it loads, and every cell is correct). */
  readonly expects?: 'loads' | 'refused';
  /** Conversion that the dump program itself has applied to characters. */
  readonly dumpedAs?: 'utf8mb3' | 'binary';
  /** Schemas whose dump is of no use in any case. */
  readonly without?: readonly SchemaName[];
  /** Schema on which the combination is part of the sample, if it is. */
  readonly sample?: SchemaName;
}

/** A defect of the command that is known: its combinations must fail until the entry is removed. */
export interface Defect {
  readonly engine: Engine;
  readonly schemas?: readonly SchemaName[];
  readonly name: RegExp;
  /** Description of the defect and of its symptom. */
  readonly why: string;
}

/** The name of a combination in messages. */
export const nameOf = ({ program, flags, restore, sections }: Combination): string =>
  [
    program,
    ...flags,
    ...(restore ? ['| pg_restore', ...restore, '-f -'] : []),
    ...(sections ? ['(sections)'] : []),
  ]
    .filter((word) => word !== undefined)
    .join(' ') || '(no options)';

/** The options of dump programs that are tried. */
import type { Engine } from './engine.js';

export type SchemaName = 'sakila' | 'northwind' | 'chinook' | 'types' | 'narrow';

/** A way to dump a database, and what has to become of it. */
export interface Combination {
  /** Words of the dump program; `DB`, `LEAF` and `ROOT` stand for names of the schema. */
  readonly flags: readonly string[];
  /** The dump program; pg_dump and mariadb-dump by default. */
  readonly program?: 'pg_dumpall';
  /** Words of pg_restore, which writes the plain SQL. */
  readonly restore?: readonly string[];
  /**
   * How the dump is loaded: into an empty database; into one that has the tables; below its own name into a
   * server without it; as the files of --tab.
   */
  readonly load?: 'empty' | 'tables' | 'server' | 'tab';
  /** The sections that are dumped as files of their own, converted, and loaded one after the other. */
  readonly sections?: boolean;
  /** What the loading client may complain about. */
  readonly tolerates?: RegExp;
  /** Which tables are compared; all by default. */
  readonly tables?: 'ROOT' | 'all but LEAF';
  /** Whether the dump has rows. */
  readonly hasRows?: boolean;
  /** Whether views, routines and comments are compared, too. */
  readonly hasDefinitions?: boolean;
  /** More options of `utf8 convert`. */
  readonly options?: readonly string[];
  /** What is done to the dump by `utf8 convert`: by default it loads, cell by cell as it should be. */
  readonly expects?: 'loads' | 'refused';
  /** What the dump program itself has done to characters. */
  readonly dumpedAs?: 'utf8mb3' | 'binary';
  /** Schemas whose dump is of no use in any case. */
  readonly without?: readonly SchemaName[];
  /** Whether it is among the sample, and on which schema. */
  readonly sample?: SchemaName;
}

/** A defect of the command that is known: its combinations must fail until the entry is removed. */
export interface Defect {
  readonly engine: Engine;
  readonly schemas?: readonly SchemaName[];
  readonly name: RegExp;
  /** What is wrong, and how it shows. */
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

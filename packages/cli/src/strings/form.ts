/** Readers of files that contain strings: class files, DEX files, and Android's resources. */
import { ClassFileError, readStrings, readUses } from '@utf8/classfile';
import { DataError } from '@utf8/classfile/data';
import { DexError, readDex } from '@utf8/classfile/dex';
import type { EntryForm } from '@utf8/classfile/jar';
import { ResourceError, readResources } from '@utf8/classfile/resources';
import type { ErrorPolicy } from '@utf8/core';
import type { FoundString } from './found-string.js';
import { kinds as allKinds, type Kind, selectClassKinds } from './kind.js';
import type { FoundUse } from './where.js';

/** Error in a file. */
export type FormError = ClassFileError | DexError | ResourceError | DataError;

/** Options for reading a file. */
export interface FormOptions {
  readonly errors: ErrorPolicy;
  /** Receives skipped parts; without it, malformed parts end the reading. */
  readonly lenient: ((error: FormError) => void) | undefined;
  /** The kinds to list; undefined for all. */
  readonly kinds: readonly Kind[] | undefined;
}

/** Readers for one form of files. */
interface Form {
  readonly readStrings: (bytes: Uint8Array, options: FormOptions) => Iterable<FoundString>;
  readonly readUses: (bytes: Uint8Array, options: FormOptions) => Iterable<FoundUse>;
}

export const forms: Readonly<Record<EntryForm, Form>> = {
  class: {
    readStrings: (bytes, { errors, lenient }) => readStrings(bytes, { errors, lenient }),
    readUses: (bytes, { errors, lenient, kinds }) =>
      readUses(bytes, { errors, lenient, kinds: selectClassKinds(kinds) }),
  },
  dex: {
    readStrings: (bytes, options) => readDex(bytes, options).strings,
    readUses: (bytes, options) =>
      readDex(bytes, options).uses({ kinds: selectClassKinds(options.kinds) }),
  },
  resources: {
    readStrings: readResourceStrings,
    *readUses(bytes, options) {
      for (const use of readResources(bytes, options).uses()) {
        if (!options.kinds || options.kinds.includes(use.kind)) yield use;
      }
    },
  },
};

/** Reads strings of resources. Only the uses of a string show its purpose. */
function* readResourceStrings(
  bytes: Uint8Array,
  options: FormOptions,
): Generator<FoundString, undefined> {
  const { strings } = readResources(bytes, options);
  // The fault has been reported.
  const { errors, lenient } = { errors: 'replace', lenient: () => {} } as const;
  /** By pool and index, the kinds as bits. */
  const sets = new Map<string, number>();
  for (const { string, kind } of readResources(bytes, { errors, lenient }).uses()) {
    const key = `${string.pool}/${string.index}`;
    sets.set(key, (sets.get(key) ?? 0) | (1 << allKinds.indexOf(kind)));
  }
  for (const string of strings) {
    const set = sets.get(`${string.pool}/${string.index}`) ?? 1 << allKinds.indexOf('unused');
    yield { ...string, kinds: allKinds.filter((_, bit) => set & (1 << bit)) };
  }
}

export const isFormError = (error: unknown): error is FormError =>
  error instanceof ClassFileError ||
  error instanceof DexError ||
  error instanceof ResourceError ||
  error instanceof DataError;

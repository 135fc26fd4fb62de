/** Strings as they are found in a file of any form. */
import type { Fault } from '@utf8/core';
import type { Kind } from './kind.js';

/** A string without its purpose. */
export interface FoundText {
  /** Number of the pool in a file of resources. */
  readonly pool?: number | undefined;
  readonly index: number;
  /** In a file with Java's data, the tag, the field or the ID that the string belongs to. */
  readonly path?: string | undefined;
  /** In bytes from the start of the file. */
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** `utf-16` for some strings of resources. */
  readonly encoding?: 'utf-8' | 'utf-16' | undefined;
  readonly string: string;
  readonly fault: Fault | undefined;
}

/** A string and its purpose. */
export interface FoundString extends FoundText {
  readonly kinds: readonly Kind[];
}

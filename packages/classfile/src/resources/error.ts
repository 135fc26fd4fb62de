/** Reason why resources are refused. */
export type ResourceReason =
  /** The file is neither a table of resources nor binary XML. */
  | 'not-resources'
  /** The file, or a chunk of it, ends before its content does. */
  | 'truncated'
  /** An index without a string. */
  | 'invalid-index'
  /** A number out of its range, or a string without its 00 at the end. */
  | 'invalid-value'
  /** Entries or strings share bytes so often that reading them takes more than linear time. */
  | 'overlap'
  /**
   * Nothing that Android refuses, but nothing that tools write either: only `lenient` receives it, since it
   * may be there to mislead readers.
   */
  | 'unusual'
  /** A malformed string under the policy `strict`; `cause` is the `DecodeError`. */
  | 'malformed-utf8';

/**
 * Thrown if the bytes are not resources that Android loads. The only error for malformed input, including
 * malformed strings.
 *
 * @example
 * ```ts
 * import { type ResourceError, readResources } from '@utf8/classfile/resources';
 *
 * try {
 *   readResources(Uint8Array.of(0x02, 0x00, 0x0c, 0x00, 0x0c));
 * } catch (error) {
 *   (error as ResourceError).code; // => 'ERR_RESOURCE'
 *   (error as ResourceError).offset; // => 5
 *   (error as ResourceError).reason; // => 'truncated'
 * }
 * ```
 */
export class ResourceError extends TypeError {
  /** The name of the class. */
  override readonly name = 'ResourceError';
  /** The code of the error, which is the same in every copy of this package. */
  readonly code = 'ERR_RESOURCE';
  /** Offset of the error, in bytes from the start of the file. */
  readonly offset: number;
  /** Reason for the error. */
  readonly reason: ResourceReason;

  /**
   * @param reason - The reason for the error.
   * @param offset - The offset of the error, in bytes from the start of the file.
   * @param what - A description of the error, as the end of a sentence.
   * @param options - The cause.
   */
  constructor(reason: ResourceReason, offset: number, what: string, options?: ErrorOptions) {
    super(`Malformed resources at byte ${offset}: ${what}.`, options);
    this.offset = offset;
    this.reason = reason;
  }
}

/** Refuses a file. */
export function refuse(reason: ResourceReason, offset: number, what: string): never {
  throw new ResourceError(reason, offset, what);
}

/** Receives an error. Returns if the error can be skipped, and throws it otherwise. */
export type Tell = (error: ResourceError) => void;

/** Tells whether an error costs only the item that is being read. */
export const isSkippable = (error: unknown): error is ResourceError =>
  error instanceof ResourceError && error.reason !== 'overlap' && error.reason !== 'malformed-utf8';

/** Performs an action whose errors may be skipped. */
export function attempt(tell: Tell, action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!isSkippable(error)) throw error;
    tell(error);
  }
}

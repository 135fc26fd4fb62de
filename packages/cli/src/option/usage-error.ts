/** Thrown if the command line makes no sense. Its message is one sentence for a person. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'ERR_UTF8_USAGE';
}

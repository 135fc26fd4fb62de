/** Thrown for an unknown word or another error in the arguments. */
export class UsageError extends Error {}

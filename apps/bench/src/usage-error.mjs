/** A word that nothing is called by, or another fault in what was asked for. */
export class UsageError extends Error {}

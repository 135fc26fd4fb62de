/** Tells whether an operand is the URL of a database, and not the name of a file. */
export const isDatabaseUrl = (operand: string | undefined): operand is string =>
  operand !== undefined && /^(?:sqlite:|[a-z][a-z\d+.-]+:\/\/)/i.test(operand);

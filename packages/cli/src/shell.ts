/** A file name, or another argument, as a shell takes it. */
export function quoteName(name: string): string {
  return /^[\w./@%+=:,][\w./@%+=:,-]*$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}

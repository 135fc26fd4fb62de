/** The name of stdin. */
export const STDIN = '-';

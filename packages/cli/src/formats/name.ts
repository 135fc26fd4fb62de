import { decode } from '@utf8/cesu8/mixed';

/** A name of a column or table, for people: what is malformed in it shows as U+FFFD. */
export const deriveName = (bytes: Uint8Array): string => decode(bytes, { errors: 'replace' });

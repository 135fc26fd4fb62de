import { codecFor } from '@utf8/detect';

/** Decodes the name of a column or table for people; malformed bytes become U+FFFD. */
export const deriveName = (bytes: Uint8Array): string =>
  codecFor('cesu-8+utf-8').decode(bytes, { errors: 'replace' });

import { formatBytes } from '@utf8/core';
import { windows1252 } from './windows1252.js';

/** The policies for malformed bytes. */
export const errorsPolicies = [
  'strict',
  'replace',
  'ignore',
  'backslashreplace',
  'windows-1252',
] as const;

/** A policy for malformed bytes. */
export type ErrorsPolicy = (typeof errorsPolicies)[number];

/**
 * Returns the text that a policy substitutes for faulty bytes, not yet quoted.
 *
 * @param policy - A policy that does not refuse them.
 * @param bytes - The faulty bytes.
 * @returns The text; an empty one if the policy drops the bytes.
 * @example
 * ```ts
 * import { substitute } from '@utf8/repair';
 *
 * substitute('backslashreplace', Uint8Array.of(0xed, 0xa0)); // => '\\xed\\xa0'
 * substitute('windows-1252', Uint8Array.of(0x80)); // => '€'
 * ```
 */
export function substitute(policy: Exclude<ErrorsPolicy, 'strict'>, bytes: Uint8Array): string {
  if (policy === 'windows-1252') return windows1252(undefined, bytes);
  if (policy === 'backslashreplace')
    return `\\x${formatBytes(bytes).toLowerCase().replaceAll(' ', '\\x')}`;
  return policy === 'replace' ? '\uFFFD' : '';
}

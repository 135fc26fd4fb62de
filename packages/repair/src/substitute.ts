import { formatBytes } from '@utf8/core';
import {
  decodeLegacyBytes,
  findLegacyEncoding,
  type LegacyEncoding,
  legacyEncodings,
} from './legacy-encoding.js';

const basicPolicies = [
  'fail',
  'replace',
  'remove',
  'escape',
] as const satisfies readonly ErrorsPolicy[];

/** The names that Python and the codecs have for three of them. */
const aliases: ReadonlyMap<string, ErrorsPolicy> = new Map([
  ['strict', 'fail'],
  ['ignore', 'remove'],
  ['backslashreplace', 'escape'],
]);

/** A policy for malformed bytes; a legacy encoding decodes those that may be of it. */
export type ErrorsPolicy = 'fail' | 'replace' | 'remove' | 'escape' | LegacyEncoding;

/** The policies for malformed bytes. */
export const errorsPolicies: readonly ErrorsPolicy[] = [...basicPolicies, ...legacyEncodings];

/**
 * Finds a policy for malformed bytes by its name, by Python's name of it, or by a label of its encoding.
 *
 * @param label - Such as `replace` or `strict`, or `CP1251` in any case.
 * @returns The policy; undefined if there is none of the name.
 * @example
 * ```ts
 * import { findErrorsPolicy } from '@utf8/repair';
 *
 * findErrorsPolicy('replace'); // => 'replace'
 * findErrorsPolicy('strict'); // => 'fail'
 * findErrorsPolicy('CP1251'); // => 'windows-1251'
 * ```
 */
export const findErrorsPolicy = (label: string): ErrorsPolicy | undefined =>
  basicPolicies.find((policy) => policy === label) ??
  aliases.get(label) ??
  findLegacyEncoding(label);

/**
 * Returns the text that a policy substitutes for faulty bytes, not yet quoted.
 *
 * @param policy - A policy that does not refuse them.
 * @param bytes - The faulty bytes.
 * @returns The text; an empty one if the policy drops the bytes, and undefined if one of them is not a
 * character of the encoding that is the policy.
 * @example
 * ```ts
 * import { substitute } from '@utf8/repair';
 *
 * substitute('escape', Uint8Array.of(0xed, 0xa0)); // => '\\xed\\xa0'
 * substitute('windows-1252', Uint8Array.of(0x80)); // => '€'
 * substitute('windows-1252', Uint8Array.of(0x81)); // => undefined
 * ```
 */
export function substitute(
  policy: Exclude<ErrorsPolicy, 'fail'>,
  bytes: Uint8Array,
): string | undefined {
  if (policy === 'escape') return `\\x${formatBytes(bytes).toLowerCase().replaceAll(' ', '\\x')}`;
  if (policy === 'replace') return '\uFFFD';
  return policy === 'remove' ? '' : decodeLegacyBytes(policy, bytes);
}

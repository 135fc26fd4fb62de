/** Links to the page that explains why bytes are refused. */
import type { FaultReason } from '@utf8/core';

/** The page of the site that each release publishes. Its headings are the reasons. */
const PAGE = 'https://utf8-codecs.github.io/utf8/guide/errors';

/** The reasons that the page explains. */
export const explained: Readonly<Record<FaultReason, true>> = {
  'unexpected-continuation': true,
  'invalid-lead': true,
  truncated: true,
  overlong: true,
  surrogate: true,
  'too-large': true,
  'wrong-form': true,
  unrepresentable: true,
};

/**
 * Writes the line that leads to the cause, an example and the fix of a reason, or to all of them.
 *
 * @returns One line; an empty list if no word is a reason.
 */
export function seeReasons(words: Iterable<string | undefined>): string[] {
  const reasons = new Set([...words].filter((word) => word !== undefined && word in explained));
  const [first] = reasons;
  if (first === undefined) return [];
  return [`See ${PAGE}#${reasons.size === 1 ? first : 'reasons'}`];
}

/** Encodings by the labels that users write. */
import type { Codec } from '@utf8/core';
import { codecFor, type Label, LabelError, labelFor, labels, vendors } from '@utf8/detect';
import { UsageFailure } from './failure.js';

/** An encoding, and the label that it is known by. */
export interface Encoding {
  readonly label: Label;
  readonly codec: Codec;
}

/**
 * Finds the encoding of a label, in whatever case it is written.
 *
 * @param vendor - Whose names come first.
 * @throws {@link UsageFailure} where there is none, or more than one.
 */
export function findEncoding(text: string, vendor?: string): Encoding {
  const label = resolve(text, vendor);
  if (label) return { label, codec: codecFor(label) };
  const list = labels.join(', ');
  for (const vendor of vendors) {
    const meant = resolve(text, vendor);
    if (!meant) continue;
    throw new UsageFailure(
      `${text} means ${meant} with --vendor ${vendor}, and without it nothing for sure; write one of ${list}`,
    );
  }
  throw new UsageFailure(`there is no encoding ${JSON.stringify(text)}; there are ${list}`);
}

function resolve(text: string, vendor: string | undefined): Label | undefined {
  try {
    return labelFor(text, { vendor });
  } catch (error) {
    if (error instanceof LabelError) return undefined;
    throw error;
  }
}

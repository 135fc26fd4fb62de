/** The first arguments of coders: options, or a label and then options, as `TextDecoder` takes them. */
import type { Encoding } from '../encoding.js';

/**
 * Selects the options of a coder, which are not checked yet.
 *
 * @throws RangeError if there is a label, and it is not one of the encoding's.
 */
export function selectOptions<Options extends object>(
  { name, labels }: Encoding,
  first: string | Options | undefined,
  second: Options | undefined,
): Options | undefined {
  const isLabel = typeof first === 'string';
  if (isLabel) {
    const label = first.trim().toLowerCase();
    if (![name, ...labels].some((known) => known.toLowerCase() === label)) {
      throw new RangeError(`${name} has no label ${first}.`);
    }
  }
  return isLabel || first === undefined ? second : first;
}

/** The first arguments of coders: options, or a label and then options, as `TextDecoder` takes them. */
import { checkOptions } from '../argument/refuse.js';
import type { Engine } from '../read/engine.js';

/**
 * Returns the options of a coder.
 *
 * @throws RangeError if there is a label, and it is not one of the encoding's.
 * @throws TypeError if the options are no object.
 */
export function selectOptions<Options extends object>(
  { name, labels }: Engine,
  first: string | Options | undefined,
  second: Options | undefined,
): Options {
  const isLabel = typeof first === 'string';
  if (isLabel) {
    const label = first.trim().toLowerCase();
    if (![name, ...labels].some((known) => known.toLowerCase() === label)) {
      throw new RangeError(`Expected a label of ${name}, but got ${first}.`);
    }
  }
  const options = isLabel || first === undefined ? second : first;
  checkOptions(options);
  return options ?? ({} as Options);
}

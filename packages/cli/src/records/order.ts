/** What a rewriter does, as plain data: so that a thread can be told. */
import { findEncoding } from '../codecs.js';
import { type FormatOptions, findFormat } from '../formats/index.js';
import type { RepairOptions } from '../repair/options.js';
import { Repairer } from '../repair/repairer.js';
import { type RewriteOptions, Rewriter } from './rewrite.js';

/** What a file is made of, by the names on the command line. */
export interface FormatChoice {
  readonly name: string;
  readonly options: FormatOptions;
}

/** All that it takes to make a rewriter. */
export interface Order {
  readonly format: FormatChoice;
  /** Encodings by their labels. */
  readonly repair: Omit<RepairOptions, 'from' | 'to'> & {
    readonly from: string;
    readonly to: string;
  };
  readonly rewrite: RewriteOptions;
}

/** Makes a rewriter. */
export function createRewriter({ format: { name, options }, repair, rewrite }: Order): Rewriter {
  const format = findFormat(name, options);
  const from = findEncoding(repair.from);
  const to = findEncoding(repair.to);
  return new Rewriter(format, new Repairer({ ...repair, from, to }, format), rewrite);
}

/** The second look at the pieces of files: their keys, once all that change are known. */
import type { Piece } from '../formats/format.js';
import { examine } from './examine.js';
import type { Finding } from './finding.js';
import type { Tools } from './inspector.js';
import { packKey } from './key.js';
import { OrderWatch } from './order.js';
import { locate } from './spot.js';
import type { Stretch } from './stretches.js';

/** Looks at the keys of records, one after the other. */
export class KeyInspector {
  readonly #tools: Tools;
  readonly #report: (finding: Finding) => void;
  readonly #order = new OrderWatch();

  /** @param report - Is told of each finding. */
  constructor(tools: Tools, report: (finding: Finding) => void) {
    this.#tools = tools;
    this.#report = report;
  }

  inspect(file: string, stretch: Stretch, piece: Piece): void {
    if (piece.kind !== 'record') return;
    const { format, options, repairer, collisions, keys } = this.#tools;
    const spot = { file, stretch, piece, examined: examine(stretch, piece, repairer) };
    const { before, after, field } = keys.read(spot, format);
    // What is rejected takes no key from anybody.
    if (!field || spot.examined.isRefused) return;
    const { table, number: record, line } = piece;
    const packed = packKey(table, before);
    if (!packed) return;
    const packedAfter = before === after ? packed : (packKey(table, after) as Buffer);
    const isChanged = !packedAfter.equals(packed);
    const describe = () => keys.describe(before, options.from.codec);
    const place = () => locate(spot, field, field.start, describe());
    collisions.add({
      before: packed,
      after: packedAfter,
      isChanged,
      describe: () => ({ ...place(), becomes: keys.describe(after, options.to.codec) }),
    });
    const turn = this.#order.add({
      table,
      before,
      after,
      isChanged,
      describe: () => ({ file, record, line, key: describe() }),
    });
    if (turn) this.#report({ ...place(), kind: 'order', ...turn });
  }
}

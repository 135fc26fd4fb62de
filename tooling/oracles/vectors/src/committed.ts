/** The committed vectors. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { VectorFile } from '../../../../packages/vectors/src/index.js';
import type { Confirmation } from './confirmation.js';

export const home: string = fileURLToPath(new URL('../../../../packages/vectors', import.meta.url));
export const folder: string = path.join(home, 'generated');
export const json: string = readFileSync(path.join(folder, 'vectors.json'), 'utf8');
export const committed = JSON.parse(json) as VectorFile;

/** The confirmations in the committed file. */
export const recorded: Confirmation[] = committed.vectors.flatMap(({ id, variants }) =>
  Object.entries(variants).flatMap(([variant, { confirmedBy, differs = [] }]) => {
    const names = new Set([...Object.values(confirmedBy).flat(), ...differs.map(({ by }) => by)]);
    return [...names].map((by) => ({
      by,
      variant: variant as Confirmation['variant'],
      id,
      confirms: (Object.keys(confirmedBy) as Confirmation['confirms'][number][]).filter((aspect) =>
        confirmedBy[aspect]?.includes(by),
      ),
      differs: differs.filter((difference) => difference.by === by),
    }));
  }),
);

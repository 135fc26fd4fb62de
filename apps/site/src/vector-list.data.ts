/** The vectors as the playground lists them: their content and their purpose. */
import { vectors } from '@utf8/vectors';

type Entry = readonly [id: string, hex: string, description: string];

export declare const data: readonly Entry[];

export default {
  load: (): readonly Entry[] =>
    vectors.map(({ id, bytes, description }) => [id, bytes, description]),
};

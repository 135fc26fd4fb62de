/** Damage to a file of this project, as an input chooses it. */
import type { Input } from './input.js';

/** Changes some bytes, or removes or doubles some. */
export function damage(bytes: Uint8Array, input: Input): Buffer {
  let damaged = Buffer.from(bytes);
  for (let changes = input.below(4); changes > 0; changes--) {
    const at = input.below(0x1_0000) % (damaged.length + 1);
    const to = Math.min(damaged.length, at + input.below(64));
    const kind = input.below(5);
    const [before, within, after] = [
      damaged.subarray(0, at),
      damaged.subarray(at, to),
      damaged.subarray(to),
    ];
    if (kind === 0) damaged = Buffer.concat([before, after]);
    else if (kind === 1) damaged = Buffer.concat([before, within, within, after]);
    else if (kind === 2) damaged = Buffer.from(before);
    else if (kind === 3)
      damaged = Buffer.concat([before, Buffer.of(input.below(256)), damaged.subarray(at + 1)]);
    else damaged = Buffer.concat([before, Buffer.from(input.rest().subarray(0, 32)), after]);
  }
  return damaged;
}

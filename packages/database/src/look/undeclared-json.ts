/** JSON in a column of text, with an escape that `jsonb` would refuse. */
import { createRepairer, type Finding } from '@utf8/repair';

/** Policies under which only what jsonb refuses is refused. */
const repairer = createRepairer({ from: 'wtf-8', to: 'wtf-8', equalJsonKeys: 'keep' });

const BACKSLASH = 0x5c;

/** Finds the first escape of U+0000 or of an unpaired surrogate in an object or array; undefined if there is none. */
export function findUndeclared(value: Uint8Array): Finding | undefined {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.length);
  if (!bytes.includes('\\u') || !/^\s*[[{]/.test(bytes.toString('latin1', 0, 100)))
    return undefined;
  const { findings } = repairer(value, { value: { syntaxes: [], structure: { is: 'json' } } });
  return findings.find(({ offset }) => value[offset] === BACKSLASH);
}

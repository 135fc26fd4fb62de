/** Whether a repair may change how a piece is read, of which all but the text is ASCII. */
import type { Repair } from '@utf8/repair';

/** Tells whether a repair writes and removes only characters above U+007F. */
export const keepsAscii = ({ findings }: Repair): boolean =>
  findings.every(({ kind, becomes }) => !becomes || (kind !== 'nul' && isAboveAscii(becomes)));

/** A removed sequence may have kept two bytes of ASCII apart. */
const isAboveAscii = (bytes: Uint8Array): boolean =>
  bytes.length > 0 && bytes.every((byte) => byte >= 0x80);

/** Questions to a program of `peers/`, and answers. */
import { formatBytes, formatUnits } from '../../interop/src/answer.js';
import type { ProgramPeer } from '../../interop/src/peer.js';

/** Asks a program to write a text. Returns its bytes; undefined if it refuses. */
export async function askWrite(
  peer: ProgramPeer,
  operation: string,
  text: string,
): Promise<Buffer | undefined> {
  const [answer = ''] = await peer.ask(`${operation}.write`, [formatUnits(text)]);
  return answer.startsWith('ok ') ? Buffer.from(answer.slice(3), 'hex') : undefined;
}

/** Asks a program to read bytes. Returns its text; undefined if it refuses. */
export async function askRead(
  peer: ProgramPeer,
  operation: string,
  bytes: Uint8Array,
): Promise<string | undefined> {
  const [answer = ''] = await peer.ask(`${operation}.read`, [formatBytes(bytes)]);
  const [, units] = /^ok ([0-9a-f]*) \d+$/.exec(answer) ?? [];
  return units === undefined ? undefined : Buffer.from(units, 'hex').swap16().toString('utf16le');
}

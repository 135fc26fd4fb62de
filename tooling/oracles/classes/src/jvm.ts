/** The JVM as it takes class files: see the operations `define` and `call` of tooling/oracles/interop. */
import { afterAll } from 'vitest';
import { ProgramPeer } from '../../interop/src/peer.js';
import { jvm } from '../../interop/src/programs.js';

/** Starts it for the tests of a file. */
export async function useJvm(): Promise<ProgramPeer> {
  const peer = await ProgramPeer.start(jvm);
  afterAll(() => peer.stop());
  return peer;
}

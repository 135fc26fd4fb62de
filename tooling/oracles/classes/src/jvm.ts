/** The JVM as it takes class files: see the operations `define` and `call` of tooling/oracles/interop. */
import { ProgramPeer } from '@utf8/oracles/interop/peer';
import { programs } from '@utf8/oracles/interop/programs';

/** Starts it; undefined where there is none, with a line that says so. */
export async function startJvm(): Promise<ProgramPeer | undefined> {
  const program = programs.find(({ name }) => name === 'jvm');
  const jvm = await ProgramPeer.start(program as NonNullable<typeof program>);
  if (typeof jvm !== 'string') return jvm;
  console.log(`skipped: jvm: ${jvm}`);
  return undefined;
}

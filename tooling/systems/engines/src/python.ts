/** Python, with the packages that `.ci/run` puts into the clone. */
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { demand, findProgram, type Outcome, run } from '@utf8/systems/databases/program';

const packages = fileURLToPath(new URL('../../../../node_modules/.cache/python', import.meta.url));

const python = findProgram('python3');

/** The environment in which Python finds these packages. */
export const withPackages = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...env,
  PYTHONPATH: [packages, env.PYTHONPATH].filter(Boolean).join(delimiter),
});

const environment = withPackages(process.env);

/** Why modules cannot be imported; undefined if all can. */
export function findMissingModules(...names: readonly string[]): string | undefined {
  if (!python) return 'not installed: python3';
  const missing = names.filter(
    (name) => run(python, ['-c', `import ${name}`], '', { env: environment }).status !== 0,
  );
  return missing.length > 0 ? `not installed: ${missing.join(', ')}` : undefined;
}

const pathOf = (peer: string): string =>
  fileURLToPath(new URL(`../peers/${peer}`, import.meta.url));

/** Runs a program of `peers`, which has to succeed, and returns what it wrote. */
export const demandPeer = (
  peer: string,
  args: readonly string[],
  input: Uint8Array | string = '',
): Buffer => demand(python as string, [pathOf(peer), ...args], input, { env: environment });

/** Runs a program that has to succeed, and returns what it wrote. */
export const demandPython = (program: string): Buffer =>
  demand(python as string, ['-'], program, { env: environment });

/** Runs a script of the documentation. */
export const runScript = (
  script: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Outcome => run(python as string, ['-', ...args], script, { cwd, env: withPackages(env) });

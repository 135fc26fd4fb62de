/** Python, with the packages that `.ci/run` and `.ci/nightly` put into the clone. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { demand, type Outcome, run } from '@utf8/systems/databases/program';

/** The folder of the packages. */
export const packages: string = fileURLToPath(
  new URL('../../../../node_modules/.cache/python', import.meta.url),
);

/** The environment in which Python finds the packages, and modules of other folders. */
export const withPackages = (
  env: NodeJS.ProcessEnv,
  ...folders: readonly string[]
): NodeJS.ProcessEnv => ({
  ...env,
  PYTHONPATH: [packages, ...folders, env.PYTHONPATH].filter(Boolean).join(delimiter),
});

const environment = withPackages(process.env);

/** That a module is missing fails the test. */
export function demandModules(...names: readonly string[]): void {
  const missing = names.filter(
    (name) =>
      !existsSync(join(packages, name)) &&
      run('python3', ['-c', `import ${name}`], '', { env: environment }).status !== 0,
  );
  if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')} of Python`);
}

/** The path of a program of `peers`. */
export const pathOf = (peer: string): string =>
  fileURLToPath(new URL(`../peers/${peer}`, import.meta.url));

/** Runs a program of `peers`, which must succeed, and returns its output. */
export const demandPeer = (
  peer: string,
  args: readonly string[],
  input: Uint8Array | string = '',
  env: NodeJS.ProcessEnv = environment,
): Buffer => demand('python3', [pathOf(peer), ...args], input, { env });

/** Runs a program that must succeed, and returns its output. */
export const demandPython = (program: string): Buffer =>
  demand('python3', ['-'], program, { env: environment });

/** Runs a script of the documentation. */
export const runScript = (
  script: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Outcome => run('python3', ['-', ...args], script, { cwd, env: withPackages(env) });

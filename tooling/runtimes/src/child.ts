/** A runtime that is a program. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './bundle.js';
import type { Report } from './report.js';

interface Version {
  readonly package: string;
  readonly binary: string;
}

const versions: Readonly<Record<string, Version>> = JSON.parse(
  readFileSync(new URL('../versions.json', import.meta.url), 'utf8'),
);
const cache = path.join(root, 'node_modules/.cache');

/** Where a program is: the one that runs this, one that `install.mjs` fetched, or one on the PATH. */
export function findProgram(...names: readonly string[]): string | undefined {
  for (const name of names) {
    if (name === `node-${process.versions.node.split('.')[0]}`) return process.execPath;
    const version = versions[name];
    const fetched = path.join(
      cache,
      `runtimes/${name}/node_modules/${name}/${version ? version.binary : ''}`,
    );
    if (version && existsSync(fetched)) return fetched;
    for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
      const file = path.join(folder, name);
      if (folder && existsSync(file)) return file;
    }
  }
  return undefined;
}

/** Runs a program that prints a report as its last line. */
export function runChild(program: string, args: readonly string[]): Promise<Report> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        // What would be written outside the clone, or asked of others.
        DENO_DIR: path.join(cache, 'deno'),
        DENO_NO_UPDATE_CHECK: '1',
        BUN_RUNTIME_TRANSPILER_CACHE_PATH: '0',
        DO_NOT_TRACK: '1',
        NODE_OPTIONS: '',
      },
      timeout: 600_000,
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      try {
        resolve(JSON.parse(output.trim().split('\n').at(-1) ?? ''));
      } catch {
        const end = `${output}${errors}`.slice(-2000);
        reject(new Error(`${program} ended with ${signal ?? code} and without a report.\n${end}`));
      }
    });
  });
}

/** PostgreSQL. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { demand, findMissing, findProgram, type Outcome, run } from './program.js';
import { createFolder, Server, user } from './server.js';

/** A PostgreSQL server of its own, whose databases are in UTF8. */
export class Postgres {
  /** Where its socket is. */
  readonly folder: string;
  readonly #servers: Server[];

  private constructor(folder: string, server: Server) {
    this.folder = folder;
    this.#servers = [server];
  }

  /** Why there can be none here. */
  static readonly missing: string | undefined = findMissing(
    'initdb',
    'postgres',
    'psql',
    'pg_dump',
    'pg_restore',
  );

  static async start(): Promise<Postgres> {
    const folder = createFolder();
    const data = join(folder, 'data');
    const find = (name: string): string => findProgram(name) as string;
    const words = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
    demand(find('initdb'), words, '', { cwd: folder, ...user });
    return new Postgres(folder, await serve(folder));
  }

  /** What drivers connect to, without a password. */
  url(database: string, role = 'postgres'): string {
    return `postgres://${role}@/${database}?host=${this.folder}`;
  }

  /**
   * Ends the server in the middle of what it does, and starts it again.
   *
   * @param signal - `SIGKILL`, or `SIGQUIT` for an immediate shutdown.
   */
  async crash(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void> {
    const lock = join(this.folder, 'data', 'postmaster.pid');
    const pid = Number(readFileSync(lock, 'utf8').split('\n')[0]);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    const pids = [pid, ...children.split(' ').filter(Boolean).map(Number)];
    process.kill(pid, signal);
    // The next one wants their shared memory.
    while (pids.some(isAlive)) await setTimeout(20);
    // A process that nobody has waited for looks alive to the next one.
    rmSync(lock, { force: true });
    rmSync(join(this.folder, '.s.PGSQL.5432.lock'), { force: true });
    this.#servers.push(await serve(this.folder));
  }

  /** The environment in which its programs find it. */
  get env(): NodeJS.ProcessEnv {
    return { ...process.env, PGHOST: this.folder, PGUSER: 'postgres' };
  }

  /** Runs a script, up to the first error. */
  run(script: string | Uint8Array, ...args: readonly string[]): Outcome {
    return run(findProgram('psql') as string, [...QUIET, ...args], script, { env: this.env });
  }

  /** Runs a script that has to succeed, and returns what it wrote. */
  demand(script: string | Uint8Array, ...args: readonly string[]): Buffer {
    return demand(findProgram('psql') as string, [...QUIET, ...args], script, { env: this.env });
  }

  /** Starts a script, and does not wait for it. */
  start(database: string, script: string): ChildProcess {
    const words = [...QUIET, '-d', database, '-c', script];
    return spawn(findProgram('psql') as string, words, { env: this.env, stdio: 'ignore' });
  }

  /** The command line of its client, for scripts on stdin. */
  client(database: string): string[] {
    const words = ['-F', '\t', '-h', this.folder, '-U', 'postgres', '-d', database];
    return [findProgram('psql') as string, ...QUIET, ...words];
  }

  dump(...args: readonly string[]): Buffer {
    return demand(findProgram('pg_dump') as string, args, '', { env: this.env });
  }

  async stop(): Promise<void> {
    for (const server of this.#servers.reverse()) await server.stop();
  }
}

/** Starts the server whose data are in a folder. */
function serve(folder: string): Promise<Server> {
  const words = ['-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off'];
  const ask = ['-h', folder, '-U', 'postgres', '-c', 'SELECT 1'];
  return Server.start({
    folder,
    program: findProgram('postgres') as string,
    args: ['-D', join(folder, 'data'), ...words],
    signal: 'INT',
    isReady: () => run(findProgram('psql') as string, ask).status === 0,
  });
}

/** Whether there is a process. One that has ended and waits for its parent is gone. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Without settings of whoever runs it, tuples only, and an error is the end. */
const QUIET = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1'];

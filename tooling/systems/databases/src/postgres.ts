/** PostgreSQL. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from './client.js';
import { demand, demandProgram, type Outcome, run } from './program.js';
import { createFolder, Server, user } from './server.js';

/** A PostgreSQL server of its own, whose databases are in UTF8. */
export class Postgres {
  /** Folder of its socket. */
  readonly folder: string;
  readonly #servers: Server[];

  private constructor(folder: string, server: Server) {
    this.folder = folder;
    this.#servers = [server];
  }

  static async start(): Promise<Postgres> {
    const folder = createFolder();
    const data = join(folder, 'data');
    const words = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
    demand(demandProgram('initdb'), words, '', { cwd: folder, ...user });
    return new Postgres(folder, await serve(folder));
  }

  /** Returns the URL that drivers connect to, without a password. */
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
    process.kill(pid, signal);
    // The next one wants their shared memory.
    await this.#servers.at(-1)?.ended;
    // A process that was not waited for looks alive to the next one.
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
    return run(demandProgram('psql'), [...QUIET, ...args], script, { env: this.env });
  }

  /** Runs a script that must succeed, and returns its output. */
  demand(script: string | Uint8Array, ...args: readonly string[]): Buffer {
    return demand(demandProgram('psql'), [...QUIET, ...args], script, { env: this.env });
  }

  /** Connects a client. */
  connect(database: string): Client {
    return new Client(this.client(database));
  }

  /** The command line of its client, for scripts on stdin. */
  client(database: string): string[] {
    const words = ['-F', '\t', '-h', this.folder, '-U', 'postgres', '-d', database];
    return [demandProgram('psql'), ...QUIET, ...words];
  }

  dump(...args: readonly string[]): Buffer {
    return demand(demandProgram('pg_dump'), args, '', { env: this.env });
  }

  /** Runs pg_dump with other words than `dump` does. */
  runDump(...args: readonly string[]): Outcome {
    return run(demandProgram('pg_dump'), args, '', { env: this.env });
  }

  async stop(): Promise<void> {
    for (const server of this.#servers.reverse()) await server.stop();
  }
}

/** Starts the server whose data are in a folder. */
function serve(folder: string): Promise<Server> {
  const words = ['-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off'];
  return Server.start({
    folder,
    program: demandProgram('postgres'),
    args: ['-D', join(folder, 'data'), ...words],
    signal: 'INT',
    ready: 'ready to accept connections',
  });
}

/** Ignores the user's settings, prints tuples only, and stops at the first error. */
const QUIET = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1'];

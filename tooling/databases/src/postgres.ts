/** PostgreSQL. */
import { join } from 'node:path';
import { demand, findMissing, findProgram, type Outcome, run } from './program.js';
import { createFolder, Server, user } from './server.js';

/** A PostgreSQL server of its own, whose databases are in UTF8. */
export class Postgres {
  /** Where its socket is. */
  readonly folder: string;
  readonly #server: Server;

  private constructor(folder: string, server: Server) {
    this.folder = folder;
    this.#server = server;
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
    const server = await Server.start({
      folder,
      program: find('postgres'),
      args: ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off'],
      signal: 'INT',
      isReady: () =>
        run(find('psql'), ['-h', folder, '-U', 'postgres', '-c', 'SELECT 1']).status === 0,
    });
    return new Postgres(folder, server);
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

  /** The command line of its client, for scripts on stdin. */
  client(database: string): string[] {
    const words = ['-F', '\t', '-h', this.folder, '-U', 'postgres', '-d', database];
    return [findProgram('psql') as string, ...QUIET, ...words];
  }

  dump(...args: readonly string[]): Buffer {
    return demand(findProgram('pg_dump') as string, args, '', { env: this.env });
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

/** Without settings of whoever runs it, tuples only, and an error is the end. */
const QUIET = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1'];

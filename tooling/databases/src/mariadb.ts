/** MariaDB. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demand, findMissing, findProgram, type Outcome, run } from './program.js';
import { createFolder, Server, user } from './server.js';

/** A MariaDB server of its own. */
export class MariaDb {
  readonly #folder: string;
  readonly #server: Server;

  private constructor(folder: string, server: Server) {
    this.#folder = folder;
    this.#server = server;
  }

  /** Why there can be none here. */
  static readonly missing: string | undefined = findMissing(
    'mariadb-install-db',
    'mariadbd',
    'mariadb',
    'mariadb-dump|mysqldump',
  );

  static async start(): Promise<MariaDb> {
    const folder = createFolder();
    const data = join(folder, 'data');
    const socket = join(folder, 'socket');
    // The account of the server cannot write where TMPDIR of these tests is.
    const files = [`--datadir=${data}`, `--tmpdir=${folder}`];
    const install = ['--no-defaults', ...files, '--skip-test-db'];
    const authentication = '--auth-root-authentication-method=normal';
    demand(findProgram('mariadb-install-db') as string, [...install, authentication], '', {
      cwd: folder,
      ...user,
    });
    const server = await Server.start({
      folder,
      program: findProgram('mariadbd') as string,
      args: [
        '--no-defaults',
        ...files,
        `--socket=${socket}`,
        `--pid-file=${join(folder, 'pid')}`,
        '--skip-networking',
        '--innodb-flush-log-at-trx-commit=0',
      ],
      signal: 'TERM',
      isReady: () => run(client(), words(socket, ['-e', 'SELECT 1'])).status === 0,
    });
    return new MariaDb(folder, server);
  }

  /** The environment in which its programs find it, with the settings of its own that they read at home. */
  get env(): NodeJS.ProcessEnv {
    const settings = `[client]\nsocket=${this.#socket}\nuser=root\n`;
    writeFileSync(join(this.#folder, '.my.cnf'), settings);
    return { ...process.env, HOME: this.#folder };
  }

  /** Runs a script, up to the first error. Binary mode leaves CR LF and U+0000 in strings alone. */
  run(script: string | Uint8Array, ...args: readonly string[]): Outcome {
    return run(client(), words(this.#socket, [...QUIET, ...args]), script);
  }

  /** Runs a script that has to succeed, and returns what it wrote. */
  demand(script: string | Uint8Array, ...args: readonly string[]): Buffer {
    return demand(client(), words(this.#socket, [...QUIET, ...args]), script);
  }

  dump(...args: readonly string[]): Buffer {
    const program = findProgram('mariadb-dump', 'mysqldump') as string;
    return demand(program, words(this.#socket, args));
  }

  /** The command line of its client, for scripts on stdin. */
  client(database: string): string[] {
    return [client(), ...words(this.#socket, [...QUIET, '--raw', database])];
  }

  /** Runs its dump program with other words than `dump` does. */
  runDump(...args: readonly string[]): Outcome {
    const program = findProgram('mariadb-dump', 'mysqldump') as string;
    return run(program, words(this.#socket, args));
  }

  get #socket(): string {
    return join(this.#folder, 'socket');
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

const QUIET = ['--batch', '--skip-column-names', '--binary-mode'];

const client = (): string => findProgram('mariadb') as string;

const words = (socket: string, args: readonly string[]): string[] => [
  '--no-defaults',
  `--socket=${socket}`,
  '--user=root',
  '--default-character-set=utf8mb4',
  ...args,
];

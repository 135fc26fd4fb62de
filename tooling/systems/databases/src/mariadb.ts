/** MariaDB. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from './client.js';
import { demand, demandProgram, type Outcome, run } from './program.js';
import { createFolder, Server, type ServerCommand, user } from './server.js';

/** A MariaDB server of its own. */
export class MariaDb {
  protected readonly folder: string;
  readonly #command: ServerCommand;
  /** The last one runs; those before it were killed. */
  readonly #servers: Server[];

  protected constructor(command: ServerCommand, server: Server) {
    this.folder = command.folder;
    this.#command = command;
    this.#servers = [server];
  }

  /** Starts one, with options of its own. */
  static async start(...options: readonly string[]): Promise<MariaDb> {
    const folder = createFolder();
    const files = listFiles(folder);
    const install = ['--no-defaults', ...files, '--skip-test-db'];
    const authentication = '--auth-root-authentication-method=normal';
    demand(demandProgram('mariadb-install-db'), [...install, authentication], '', {
      cwd: folder,
      ...user,
    });
    const command = createCommand(folder, demandProgram('mariadbd'), files, options);
    return new MariaDb(command, await Server.start(command));
  }

  /** The environment in which its programs find it, with the settings of its own that they read at home. */
  get env(): NodeJS.ProcessEnv {
    const settings = `[client]\nsocket=${this.socket}\nuser=root\n`;
    writeFileSync(join(this.folder, '.my.cnf'), settings);
    return { ...process.env, HOME: this.folder };
  }

  /** Runs a script, up to the first error. Binary mode leaves CR LF and U+0000 in strings alone. */
  run(script: string | Uint8Array, ...args: readonly string[]): Outcome {
    return run(client(), words(this.socket, [...QUIET, ...args]), script);
  }

  /** Runs a script that must succeed, and returns its output. */
  demand(script: string | Uint8Array, ...args: readonly string[]): Buffer {
    return demand(client(), words(this.socket, [...QUIET, ...args]), script);
  }

  dump(...args: readonly string[]): Buffer {
    const program = demandProgram('mariadb-dump', 'mysqldump');
    return demand(program, words(this.socket, args));
  }

  /** Connects a client. */
  connect(database: string): Client {
    // Answers come at once.
    return new Client([...this.client(database), '--unbuffered']);
  }

  /** Reads the binary log that was closed first, as statements. */
  readBinaryLog(...args: readonly string[]): Buffer {
    const [name = ''] = this.demand('SELECT @@log_bin_basename').toString().split('\n');
    return demand(demandProgram('mariadb-binlog', 'mysqlbinlog'), [
      '--no-defaults',
      ...args,
      `${name}.000001`,
    ]);
  }

  /** The command line of its client, for scripts on stdin. */
  client(database: string): string[] {
    return [client(), ...words(this.socket, [...QUIET, '--raw', database])];
  }

  /** Runs its dump program with other words than `dump` does. */
  runDump(...args: readonly string[]): Outcome {
    const program = demandProgram('mariadb-dump', 'mysqldump');
    return run(program, words(this.socket, args));
  }

  /** The path of its socket. */
  get socket(): string {
    return join(this.folder, SOCKET);
  }

  /** Ends it at once, as a crash does, and waits until it is gone. */
  async kill(): Promise<void> {
    const pid = Number(readFileSync(join(this.folder, PID), 'utf8'));
    process.kill(pid, 'SIGKILL');
    await this.#servers.at(-1)?.ended;
    // MySQL takes a zombie for a server that has the socket.
    rmSync(`${this.socket}.lock`, { force: true });
  }

  /** Starts it again after {@link kill}. */
  async restart(): Promise<void> {
    this.#servers.push(await Server.start(this.#command));
  }

  async stop(): Promise<void> {
    for (const server of this.#servers.toReversed()) await server.stop();
  }
}

/** Returns the options for the files of a server. Its account cannot write to the TMPDIR of these tests. */
export const listFiles = (folder: string): string[] => [
  `--datadir=${join(folder, 'data')}`,
  `--tmpdir=${folder}`,
];

/** Creates the command that starts a server whose files exist. */
export function createCommand(
  folder: string,
  program: string,
  files: readonly string[],
  options: readonly string[],
): ServerCommand {
  const socket = join(folder, SOCKET);
  return {
    folder,
    program,
    args: [
      '--no-defaults',
      ...files,
      `--socket=${socket}`,
      `--pid-file=${join(folder, PID)}`,
      '--skip-networking',
      '--innodb-flush-log-at-trx-commit=0',
      ...options,
    ],
    signal: 'TERM',
    ready: 'ready for connections',
  };
}

const SOCKET = 'socket';
const PID = 'pid';

const QUIET = ['--batch', '--skip-column-names', '--binary-mode'];

const client = (): string => demandProgram('mariadb');

const words = (socket: string, args: readonly string[]): string[] => [
  '--no-defaults',
  `--socket=${socket}`,
  '--user=root',
  '--default-character-set=utf8mb4',
  ...args,
];

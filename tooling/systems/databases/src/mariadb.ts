/** MariaDB. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { demand, findMissing, findProgram, type Outcome, run } from './program.js';
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

  /** Why there can be none here. */
  static readonly missing: string | undefined = findMissing(
    'mariadb-install-db',
    'mariadbd',
    'mariadb',
    'mariadb-dump|mysqldump',
  );

  /** Starts one, with options of its own. */
  static async start(...options: readonly string[]): Promise<MariaDb> {
    const folder = createFolder();
    const files = listFiles(folder);
    const install = ['--no-defaults', ...files, '--skip-test-db'];
    const authentication = '--auth-root-authentication-method=normal';
    demand(findProgram('mariadb-install-db') as string, [...install, authentication], '', {
      cwd: folder,
      ...user,
    });
    const command = createCommand(folder, findProgram('mariadbd') as string, files, options);
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

  /** Runs a script that has to succeed, and returns what it wrote. */
  demand(script: string | Uint8Array, ...args: readonly string[]): Buffer {
    return demand(client(), words(this.socket, [...QUIET, ...args]), script);
  }

  dump(...args: readonly string[]): Buffer {
    const program = findProgram('mariadb-dump', 'mysqldump') as string;
    return demand(program, words(this.socket, args));
  }

  /** Runs a script beside the test; resolves when it has ended. */
  async spawn(database: string, script: string): Promise<void> {
    const child = spawn(client(), words(this.socket, [...QUIET, database]), {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.end(script);
    await once(child, 'exit');
  }

  /** Reads the binary log that was closed first, as statements. */
  readBinaryLog(...args: readonly string[]): Buffer {
    const [name = ''] = this.demand('SELECT @@log_bin_basename').toString().split('\n');
    return demand(findProgram('mariadb-binlog', 'mysqlbinlog') as string, [
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
    const program = findProgram('mariadb-dump', 'mysqldump') as string;
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
    while (isAlive(pid)) await setTimeout(10);
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

/** Where a server has its files. Its account cannot write where TMPDIR of these tests is. */
export const listFiles = (folder: string): string[] => [
  `--datadir=${join(folder, 'data')}`,
  `--tmpdir=${folder}`,
];

/** How to start a server whose files are there. */
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
    isReady: () => run(client(), words(socket, ['-e', 'SELECT 1'])).status === 0,
  };
}

const SOCKET = 'socket';
const PID = 'pid';

/** A zombie, whose parent has not asked for it yet, is not. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
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

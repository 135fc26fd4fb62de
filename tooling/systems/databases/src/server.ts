/** A database server of a test's own, on a socket in a temporary folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  type FSWatcher,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
} from 'node:fs';
import { join } from 'node:path';

/** Servers refuse to run as root; anybody else will do. */
export const user: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A new folder that the server may write to. Sockets want short paths, which TMPDIR need not have. */
export function createFolder(): string {
  const folder = mkdtempSync('/tmp/utf8-');
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid as number);
  return folder;
}

/** Command that starts a server. */
export interface ServerCommand {
  readonly folder: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Signal that shuts it down without waiting for clients. */
  readonly signal: 'INT' | 'TERM';
  /** Text that it logs when it is ready. */
  readonly ready: string;
}

/**
 * The server ends, and its folder goes, when its stdin ends: when it is stopped, and when the test's
 * process ends, however it does, since the system then closes the pipe. Only the server keeps the last pipe.
 */
const leash =
  '"$@" & server=$!; exec 3>&-; read -r _; kill -"$SIGNAL" $server; wait $server; cd /; rm -rf "$FOLDER"';

/** A running server. */
export class Server {
  readonly #process: ChildProcess;
  readonly #folder: string;
  /** Resolves when the server and all its processes have ended. */
  readonly ended: Promise<unknown>;

  private constructor(process: ChildProcess, folder: string) {
    this.#process = process;
    this.#folder = folder;
    const pipe = process.stdio[3] as NodeJS.ReadableStream;
    this.ended = once(pipe.resume(), 'end');
  }

  /** Starts a server, and waits until it answers. */
  static async start({ folder, program, args, signal, ready }: ServerCommand): Promise<Server> {
    const log = join(folder, 'log');
    const fd = openSync(log, 'a');
    const { size } = statSync(log);
    const child = spawn('sh', ['-c', leash, 'sh', program, ...args], {
      cwd: folder,
      env: { ...process.env, SIGNAL: signal, FOLDER: folder },
      stdio: ['pipe', fd, fd, 'pipe'],
      ...user,
    });
    closeSync(fd);
    const server = new Server(child, folder);
    const read = (): string => readFileSync(log).subarray(size).toString();
    let watcher: FSWatcher | undefined;
    const answering = new Promise<boolean>((resolve) => {
      const look = (): void => {
        if (read().includes(ready)) resolve(true);
      };
      watcher = watch(log, look);
      look();
    });
    const answers = await Promise.race([answering, server.ended.then(() => false)]);
    watcher?.close();
    if (answers) return server;
    const words = read();
    await server.stop();
    throw new Error(`${program} ended: ${words}`);
  }

  /** Stops it, and removes its folder with all that tests have put there. */
  async stop(): Promise<void> {
    if (this.#process.exitCode === null) {
      this.#process.stdin?.end();
      await once(this.#process, 'exit');
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

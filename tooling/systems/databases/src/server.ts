/** A database server of a test's own, on a socket in a temporary folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Servers refuse to run as root; anybody else will do. */
export const user: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A new folder that the server may write to. Sockets want short paths, which TMPDIR need not have. */
export function createFolder(): string {
  const folder = mkdtempSync('/tmp/utf8-');
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid as number);
  return folder;
}

/** How to start a server. */
export interface ServerCommand {
  readonly folder: string;
  readonly program: string;
  readonly args: readonly string[];
  /** What has it shut down without waiting for anybody. */
  readonly signal: 'INT' | 'TERM';
  /** Whether it answers. */
  readonly isReady: () => boolean;
}

/** In milliseconds. */
const PATIENCE = 60_000;

/**
 * The server ends, and its folder goes, when its stdin ends: when it is stopped, and when the test's
 * process ends, however it does, since the system then closes the pipe.
 */
const leash =
  '"$@" & server=$!; read -r _; kill -"$SIGNAL" $server; wait $server; cd /; rm -rf "$FOLDER"';

/** A running server. */
export class Server {
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(process: ChildProcess, folder: string) {
    this.#process = process;
    this.#folder = folder;
  }

  /** Starts a server, and waits until it answers. */
  static async start(command: ServerCommand): Promise<Server> {
    const { folder, program, args, signal, isReady } = command;
    const log = join(folder, 'log');
    const fd = openSync(log, 'a');
    const child = spawn('sh', ['-c', leash, 'sh', program, ...args], {
      cwd: folder,
      env: { ...process.env, SIGNAL: signal, FOLDER: folder },
      stdio: ['pipe', fd, fd],
      ...user,
    });
    closeSync(fd);
    const server = new Server(child, folder);
    for (const end = Date.now() + PATIENCE; !isReady(); await setTimeout(100)) {
      if (Date.now() < end) continue;
      const words = readFileSync(log, 'utf8');
      await server.stop();
      throw new Error(`${program} does not answer: ${words}`);
    }
    return server;
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

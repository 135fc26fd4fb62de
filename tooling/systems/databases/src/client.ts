/** A client of a server that stays connected, so that a test says when it does what. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';

export class Client {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<unknown[]>;
  #output = '';
  #errors = '';
  #marks = 0;

  /** @param words - The command line of a client that runs the script on stdin. */
  constructor([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    this.#child = spawn(program, args, { env, stdio: 'pipe' });
    this.#ended = once(this.#child, 'close');
    this.#child.stdin.on('error', () => {});
    this.#child.stdout.on('data', (chunk) => {
      this.#output += chunk;
    });
    this.#child.stderr.on('data', (chunk) => {
      this.#errors += chunk;
    });
  }

  /** Has it run statements, some time after this call. */
  send(script: string): void {
    this.#child.stdin.write(`${script}\n`);
  }

  /** Has it run statements, and waits until it has. */
  async run(script: string): Promise<void> {
    const mark = `mark ${++this.#marks}`;
    this.send(`${script}\nSELECT '${mark}';`);
    while (!this.#output.includes(mark)) {
      const [event] = await Promise.race([
        once(this.#child.stdout, 'data'),
        this.#ended.then(() => []),
      ]);
      if (event === undefined) throw new Error(`the client ended: ${this.#errors}`);
    }
  }

  /** Lets it end, which has to go well. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    const [status] = await this.#ended;
    if (status !== 0 || this.#errors !== '') {
      throw new Error(`the client ended with ${status}: ${this.#errors}`);
    }
  }
}

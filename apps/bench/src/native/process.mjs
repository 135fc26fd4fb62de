/** A contestant in a process of its own, which answers one line for each that it is sent. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export class Peer {
  #child;
  #answers;
  #errors = '';

  /** @param {readonly string[]} line */
  constructor([command = '', ...words]) {
    this.#child = spawn(command, words, { stdio: 'pipe' });
    // The reason for a failure is in stderr; writing to a program that has ended adds nothing.
    this.#child.on('error', (error) => {
      this.#errors += error.message;
    });
    this.#child.stdin.on('error', () => {});
    this.#child.stderr.on('data', (chunk) => {
      this.#errors += chunk;
    });
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** @param {string} word - That the answer begins with. @returns {Promise<string>} The rest of the line. */
  async #read(word) {
    const { value, done } = await this.#answers.next();
    if (done || !value.startsWith(word)) {
      await new Promise((resolve) => setTimeout(resolve, 50)); // for what stderr still says
      const why = this.#errors.trim().split('\n').slice(0, 2).join(' ');
      throw new Error(why || `answered ${value ?? 'nothing'}`);
    }
    return value.slice(word.length).trim();
  }

  /** @returns {Promise<string>} The version that the program tells, if any. */
  ready() {
    return this.#read('ready');
  }

  /** @param {string} path */
  async load(path) {
    this.#child.stdin.write(`load ${path}\n`);
    await this.#read('loaded');
  }

  /** @returns {Promise<string>} `gives LENGTH HASH`, or `refuses INDEX`. */
  check() {
    this.#child.stdin.write('check\n');
    return this.#read('');
  }

  /** @param {number} calls @returns {Promise<number>} Nanoseconds of all calls. */
  async time(calls) {
    this.#child.stdin.write(`time ${calls}\n`);
    return Number(await this.#read('took'));
  }

  /** Ends the process. */
  close() {
    this.#child.stdin.end();
    this.#child.kill();
  }
}
